import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { attackedRunner, endAll, goesOn, ONE_PHASE, send } from '../support/attackedRunner.ts';

const test = suite('attacks: browser');

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Everything that a page may send to another origin without asking first, and what it may only ask
 * for.
 */
const renderAttackPage = (
  runner: string,
): string => `<!doctype html><title>evil</title><body><script>
const body = JSON.stringify({ type: 'job', workflowPath: 'workflows/healthy.md', params: { repoSlug: 'repo', description: 'x' } });
const form = (enctype) => {
  const frame = Object.assign(document.createElement('iframe'), { name: enctype });
  const form = Object.assign(document.createElement('form'), { action: '${runner}/jobs?' + enctype, method: 'post', enctype, target: enctype });
  const field = Object.assign(document.createElement('input'), { name: body.replace(/}$/, ',"x":"'), value: '"}' });
  form.append(field);
  document.body.append(frame, form);
  return new Promise((resolve) => { frame.onload = () => resolve('loaded'); form.submit(); });
};
const read = (response) => response.text().then((text) => response.type + ' ' + text.length, () => response.type);
const tried = (name, run) => Promise.resolve().then(run).then((got) => [name, String(got)], (error) => [name, error.name]);
window.attack = async () => [
  ...await Promise.all([
    tried('no-cors', () => fetch('${runner}/jobs', { method: 'POST', mode: 'no-cors', body }).then(read)),
    tried('no-cors json', () => fetch('${runner}/jobs', { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'application/json' }, body }).then(read)),
    tried('cors json', () => fetch('${runner}/jobs', { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(read)),
    tried('cors text', () => fetch('${runner}/jobs', { method: 'POST', body }).then(read)),
    tried('read', () => fetch('${runner}/jobs').then(read)),
    tried('read no-cors', () => fetch('${runner}/jobs', { mode: 'no-cors' }).then(read)),
    tried('beacon', () => navigator.sendBeacon('${runner}/jobs', new Blob([body], { type: 'text/plain' }))),
    tried('delete', () => fetch('${runner}/jobs/x/insights/y', { method: 'DELETE' }).then(read)),
    tried('events', () => new Promise((resolve) => { const source = new EventSource('${runner}/jobs/x/stream'); source.onopen = () => resolve('open'); source.onerror = () => { source.close(); resolve('refused'); }; })),
    tried('image', () => new Promise((resolve) => Object.assign(new Image(), { onload: () => resolve('loaded'), onerror: () => resolve('refused'), src: '${runner}/dashboard/' }))),
  ]),
  await tried('form', () => form('application/x-www-form-urlencoded')),
  await tried('form text', () => form('text/plain')),
  await tried('form file', () => form('multipart/form-data')),
];
</script></body>`;

if (existsSync(CHROMIUM)) {
  const it = await attackedRunner({
    workflow: ONE_PHASE,
    programs: { worker: "console.log('x');" },
  });
  const { chromium } = await import('playwright-core');
  const { port } = new URL(it.runner.url);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [...FLAGS, '--host-resolver-rules=MAP evil.example 127.0.0.1'],
  });
  const site = createServer((_, res) =>
    res.writeHead(200, { 'content-type': 'text/html' }).end(renderAttackPage(it.runner.url)),
  );
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const sitePort = (site.address() as AddressInfo).port;
  test.after(async () => {
    await browser.close();
    site.close();
    await endAll(it);
  });

  for (const [origin, what] of [
    [`http://evil.example:${sitePort}`, 'another site'],
    [`http://127.0.0.1:${sitePort}`, 'another port of this machine'],
  ] as const) {
    test(`2 · a page of ${what} posts by fetch, form and beacon, as text and as JSON, and reads: 403 or 415, no job, never a CORS header`, async () => {
      const page = await browser.newPage();
      const answers: [method: string, status: number][] = [];
      const cors: string[] = [];
      page.on('response', (response) => {
        if (!response.url().startsWith(it.runner.url)) return;
        answers.push([response.request().method(), response.status()]);
        cors.push(
          ...Object.keys(response.headers()).filter((name) => name.startsWith('access-control-')),
        );
      });
      await page.goto(origin);
      const results = Object.fromEntries(await page.evaluate<[string, string][]>('attack()'));
      await page.close();
      assert.equal(
        answers.filter(([, status]) => status !== 403 && status !== 415),
        [],
      );
      assert.ok(
        answers.filter(([method]) => method === 'POST').length >= 3,
        `posts reached the runner: ${JSON.stringify(answers)}`,
      );
      assert.equal(cors, []);
      // What the page itself learns: nothing, or that something was sent.
      const { beacon: _, form, 'form text': text, 'form file': file, ...others } = results;
      assert.equal(form, 'loaded');
      assert.equal(text, 'loaded');
      assert.equal(file, 'loaded');
      for (const [name, got] of Object.entries(others))
        assert.match(got, /^(TypeError|refused|opaque( 0)?)$/, `${name}: ${got}`);
      assert.is((await send(it, 'GET', '/jobs')).headers['x-total-count'], '0');
    });
  }

  test('2 · a page whose name is pointed at the runner itself (DNS rebinding): 403 for the page and for all that it would send', async () => {
    const page = await browser.newPage();
    const answer = await page.goto(`http://evil.example:${port}/dashboard/`);
    assert.is(answer?.status(), 403);
    const posted = await page.evaluate<number>(
      "fetch('/jobs', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).then(({ status }) => status)",
    );
    assert.is(posted, 403);
    await page.close();
    assert.is((await send(it, 'GET', '/jobs')).headers['x-total-count'], '0');
    await goesOn(it);
  });
} else {
  console.log(`left out: attacks from a browser's page; there is no ${CHROMIUM}`);
  test(`2 · LEFT OUT: there is no browser at ${CHROMIUM} (apt-get install chromium, or set CHROMIUM)`, () => {
    assert.not.ok(existsSync(CHROMIUM));
  });
}

test.run();
