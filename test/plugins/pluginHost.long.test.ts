import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Executor } from '../../src/contract/session/executor.ts';
import type { PluginHost } from '../../src/plugins/pluginHost.ts';
import { greeter, formatPackageJson, PluginHome, writeFiles } from '../support/pluginFolder.ts';
import { fakeVendor, OAUTH_PLUGIN } from '../support/agents/fakeVendor.ts';
import { catchRefusal } from '../support/refusal.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';
import { isAlive, prepare } from '../support/agents/sessionRequest.ts';

const test = suite('plugins host');

const getExecutor = (host: PluginHost, id: string): Executor => {
  const match = host.executors().find((executor) => executor.id === id);
  if (!match) throw new Error(`there is no executor ${id}`);
  return match;
};
const getHealth = (host: PluginHost, id: string) =>
  host.list().find((plugin) => plugin.id === id)?.health;

/** A server that answers everything; `seen` settles with its first request. */
async function firstRequest() {
  let resolve = () => {};
  const seen = new Promise<void>((fulfil) => {
    resolve = fulfil;
  });
  const server = createServer((_, reply) => {
    reply.end();
    resolve();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/**
 * Installs what `code` is, runs one session on it and answers its result and the plugin's health
 * after it.
 */
async function sessionOn(
  home: PluginHome,
  code: string,
  kickoff = 'there',
  limits = { timeMs: 8_000, outputBytes: 100_000 },
) {
  const host = await home.host();
  await host.install({ spec: home.executorTarball('it', code) });
  await using session = await prepare(null, { kickoff, limits });
  const result = await (await getExecutor(host, 'it').run(session.request)).result;
  return {
    result,
    lines: session.lines('stdout'),
    control: session.lines('control'),
    health: getHealth(host, 'it'),
  };
}

test('a plugin installed from a folder runs a session at once, and is loaded at the next start (HTTP-6 CLI-4)', async () => {
  using home = new PluginHome();
  const host = await home.host();
  const { health, ...view } = await host.install({
    spec: home.folder('greeter', greeter()),
    id: 'greeter',
  });
  assert.is(health.state, 'healthy');
  assert.equal(view.id, 'greeter');
  assert.equal(view.kind, 'executor');
  assert.equal(view.version, '1.0.0');
  assert.equal(view.origin, 'installed');

  await using session = await prepare(null, { kickoff: 'there' });
  const running = await getExecutor(host, 'greeter').run(session.request);
  assert.equal(await running.result, { stopReason: 'end_turn', error: null, usage: null });
  assert.equal(session.lines('stdout'), ['hello there']);

  const next = await home.host();
  await next.awaitChecks();
  assert.is(getHealth(next, 'greeter')?.state, 'healthy');
  await next.uninstall('greeter');
  assert.equal(readdirSync(home.pluginsDir), []);
  assert.equal((await catchRefusal(() => next.uninstall('greeter'))).code, 'not-found');
});

test('another version replaces the first without a restart', async () => {
  using home = new PluginHome();
  const first = await sessionOn(home, greeter());
  const second = await sessionOn(home, greeter().replace("'hello '", "'good morning '"));
  assert.equal(first.lines, ['hello there']);
  assert.equal(second.lines, ['good morning there']);
});

test('an interrupt reaches the plugin; one that does not heed it is ended with its process', async () => {
  using home = new PluginHome();
  const host = await home.host();
  await host.install({ spec: home.executorTarball('polite', greeter()) });
  await host.install({
    spec: home.executorTarball('deaf', greeter().replace('end({ stopReason', 'void ({ stopReason')),
  });
  for (const id of ['polite', 'deaf']) {
    await using session = await prepare(null, { kickoff: 'wait' });
    const running = await getExecutor(host, id).run(session.request);
    await session.said(/hello wait/);
    await running.end(100);
    assert.is((await running.result).stopReason, 'interrupted', id);
  }
});

test('a plugin that throws, ends its process or fails later without anybody to catch it ends its session alone', async () => {
  using home = new PluginHome();
  const throwing = await sessionOn(
    home,
    greeter().replace('async run(request) {', 'async run(request) { throw new Error("no luck");'),
  );
  assert.equal(throwing.result, { stopReason: 'error', error: 'no luck', usage: null });
  assert.equal(throwing.health?.state, 'unhealthy');
  assert.equal(throwing.health?.detail, 'no luck');

  const late =
    "async run(request) { setTimeout(() => { throw new Error('too late'); }, 10); return { result: new Promise(() => {}) };";
  const failing = await sessionOn(home, greeter().replace('async run(request) {', late));
  assert.match(
    failing.result.error ?? '',
    /^The plugin's process ended with exit code 1 without an answer\. It said:\n[\s\S]*too late/,
  );

  const exiting = await sessionOn(
    home,
    greeter().replace('async run(request) {', 'async run(request) { process.exit(3);'),
  );
  assert.is(exiting.result.error, "The plugin's process ended with exit code 3 without an answer.");
  assert.match(home.unhealthy.at(-1) ?? '', /^it: The plugin's process ended with exit code 3/);
});

test('a plugin in an endless loop is ended at the time limit, one that floods at the output limit', async () => {
  using home = new PluginHome();
  const loop = greeter().replace('async run(request) {', 'async run(request) { for (;;);');
  const hanging = await sessionOn(home, loop, 'there', { timeMs: 1_500, outputBytes: 1_000 });
  assert.equal(hanging.result, {
    stopReason: 'limit',
    error: 'The time limit of 1.5 s is over. The session was ended.',
    usage: null,
  });
  const flood =
    "async run(request) { for (let n = 0; n < 1e5; n++) request.onEvent({ type: 'log', stream: 'stdout', line: 'x'.repeat(50) });";
  const flooding = await sessionOn(
    home,
    greeter().replace('async run(request) {', flood),
    'there',
    {
      timeMs: 8_000,
      outputBytes: 1_000,
    },
  );
  assert.is(flooding.result.stopReason, 'limit');
  assert.ok(flooding.lines.length < 20, `${flooding.lines.length} lines`);
  assert.equal(flooding.control, [
    'The output limit of 1000 bytes is reached. The session was ended.',
  ]);
});

test('what a session started and left behind in a group of its own ends with the session', async () => {
  using home = new PluginHome();
  const forks =
    "async run(request) { const { spawn } = await import('node:child_process'); const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }); child.unref(); await request.onEvent({ type: 'log', stream: 'stdout', line: String(child.pid) });";
  const { result, lines } = await sessionOn(home, greeter().replace('async run(request) {', forks));
  assert.is(result.stopReason, 'end_turn');
  assert.not(await isAlive(Number(lines[0])));
});

test('the report of the kit holds no secret of the plugin (HTTP-6)', async () => {
  using home = new PluginHome();
  const settings = { key: { type: 'string', description: 'The key.', secret: true } };
  const host = await home.host({ settings: { it: { config: { key: 'canary-5' } } } });
  const telling = greeter().replace(
    'async run(request) {',
    'async run(request) { throw new Error("bad key " + config.key);',
  );
  await host.install({ spec: home.executorTarball('it', telling, { settings }) });
  const report = await host.test('it');
  assert.equal(
    report.cases
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ name, detail }) => [name, detail])[0],
    ['session-ends-with-result', 'bad key [secret]'],
  );
  assert.not.match(JSON.stringify(report), /canary/);
});

test('what cannot be loaded is unhealthy and says why; the others work (HTTP-6)', async () => {
  using home = new PluginHome();
  const broken: Record<string, [code: string, svc: Record<string, unknown>, why: RegExp]> = {
    'bad-syntax': ['export default {', {}, /Unexpected end of input/],
    'bad-throw': ["throw new Error('at loading')", {}, /^at loading$/],
    'bad-exit': ['process.exit(0)', {}, /ended with exit code 0 without an answer/],
    'bad-kind': [
      greeter().replace("'executor'", "'tracker'"),
      {},
      /the manifest says kind executor, the code "tracker"/,
    ],
    'bad-shape': ['export default { kind: "executor", create: () => ({}) }', {}, /has no run\(\)/],
    'bad-offer': [greeter(), { offers: ['models'] }, /has no models\(\)/],
    'bad-claim': [
      greeter().replace('"systemPrompt":true', '"systemPrompt":false'),
      {},
      /capabilities of the code do not match/,
    ],
  };
  for (const [id, [code, svc]] of Object.entries(broken)) {
    writeFiles(join(home.pluginsDir, id), {
      'package.json': formatPackageJson(id, svc),
      'index.js': code,
    });
  }
  writeFiles(join(home.pluginsDir, 'bad-manifest'), { 'package.json': '{"svc":{"contract":1}}' });
  writeFiles(join(home.pluginsDir, 'bad-name'), {
    'package.json': formatPackageJson('other'),
    'index.js': greeter(),
  });
  writeFiles(join(home.pluginsDir, 'good'), {
    'package.json': formatPackageJson('good'),
    'index.js': greeter(),
  });
  const host = await home.host();
  await host.awaitChecks();
  for (const [id, [, , why]] of Object.entries(broken)) {
    assert.is(getHealth(host, id)?.state, 'unhealthy', id);
    assert.match(getHealth(host, id)?.detail ?? '', why, id);
  }
  assert.match(getHealth(host, 'bad-manifest')?.detail ?? '', /svc\.id is missing/);
  assert.match(
    getHealth(host, 'bad-name')?.detail ?? '',
    /folder is named bad-name, but the manifest has the id other/,
  );
  assert.is(getHealth(host, 'good')?.state, 'healthy');
  await using session = await prepare(null);
  const refusal = await catchRefusal(() => getExecutor(host, 'bad-manifest').run(session.request));
  assert.match(refusal.message, /bad-manifest cannot be used.*svc\.id is missing/);
});

test('a plugin that does not answer a question is ended, and unhealthy', async () => {
  using home = new PluginHome();
  const host = await home.host({ answerMs: 2_000 });
  const view = await host.install({ spec: home.executorTarball('busy', 'for (;;);') });
  assert.equal(view.health.state, 'unhealthy');
  assert.equal(view.health.detail, 'It did not answer within 2 s.');
});

test('models and health come from the plugin, without its secrets; what has another form is refused (HTTP-6)', async () => {
  using home = new PluginHome();
  const settings = {
    key: {
      type: 'string',
      description: 'The key.',
      secret: true,
      env: 'GREETER_KEY',
      required: true,
    },
  };
  const parts =
    "models: async () => [{ id: 'a', title: 'A' }], healthcheck: async () => ({ ok: false, detail: 'bad key ' + config.key }),";
  const svc = { offers: ['models', 'healthcheck'], settings };
  const host = await home.host({
    settings: { it: { config: { key: 'canary-7' } } },
    hostEnv: { ...process.env, GREETER_KEY: 'canary-8' },
  });
  await host.install({ spec: home.executorTarball('it', greeter(parts), svc) });
  assert.equal(await host.models('it'), [{ id: 'a', title: 'A' }]);
  const health = await host.healthcheck('it');
  assert.equal(health.state, 'unhealthy');
  assert.equal(health.detail, 'bad key [secret]');
  assert.equal(host.detectAuth('it'), [{ setting: 'key', env: 'GREETER_KEY' }]);
  assert.equal(host.foundSecrets('it'), { key: 'canary-8' });
  assert.match(
    (await catchRefusal(() => host.foundSecrets('it', ['other']))).message,
    /has no values for other of it/,
  );
  assert.not.match(JSON.stringify(host.list()), /canary/);

  const without = await home.host();
  await without.awaitChecks();
  assert.match(
    getHealth(without, 'it')?.detail ?? '',
    /^plugins\.installed\.it\.config: "key" is missing: The key\./,
  );
});

test('a plugin that is switched off is not loaded, and its health reports it', async () => {
  using home = new PluginHome();
  const host = await home.host({ settings: { it: { enabled: false } } });
  const { health } = await host.install({ spec: home.executorTarball('it', 'process.exit(1)') });
  assert.equal(health.state, 'disabled');
  assert.equal(home.unhealthy, []);
  await using session = await prepare(null);
  assert.match(
    (await catchRefusal(() => getExecutor(host, 'it').run(session.request))).message,
    /plugins\.installed\.it\.enabled/,
  );
});

test('the session sees its own environment alone, and neither the tool token nor escapes reach the log', async () => {
  using home = new PluginHome();
  process.env.SVC_TEST_CANARY = 'canary-9';
  const says =
    "async run(request) { await request.onEvent({ type: 'log', stream: 'control', line: '\\u001b[31m' + request.tools.token + ' ' + process.env.SVC_TEST_CANARY + '\\nsecond' });";
  const { lines, control } = await sessionOn(home, greeter().replace('async run(request) {', says));
  delete process.env.SVC_TEST_CANARY;
  assert.equal(lines, ['[secret] undefined', 'second', 'hello there']);
  assert.equal(control, [], 'the stream of the runner itself is not theirs');
});

test('an installation that a crash cut off leaves the earlier plugin (HTTP-6)', async () => {
  using home = new PluginHome();
  writeFiles(join(home.pluginsDir, '.staging-1', 'old-it'), {
    'package.json': formatPackageJson('it'),
    'index.js': greeter(),
  });
  mkdirSync(join(home.pluginsDir, '.removed-2'));
  writeFileSync(join(home.pluginsDir, '.removed-2', 'x'), '');
  const host = await home.host();
  await host.awaitChecks();
  assert.is(getHealth(host, 'it')?.state, 'healthy');
  assert.equal(readdirSync(home.pluginsDir), ['it']);
  assert.ok(existsSync(join(home.pluginsDir, 'it', 'index.js')));
});

test('a health check that hangs is bounded and reported at the installation; after a start it is unchecked until someone checks', async () => {
  using home = new PluginHome();
  await using request = await firstRequest();
  const offers = ['healthcheck'];
  const hangs = greeter(
    `healthcheck: () => fetch('${request.url}').then(() => new Promise(() => {})),`,
  );
  const clock = new SimulatedClock();
  const host = await home.host({ clock, answerMs: 10_000 });
  const installing = host.install({ spec: home.executorTarball('it', hangs, { offers }) });
  // However long loading took: the time is up only after the check has begun.
  await request.seen;
  clock.advance(10_000);
  const { health } = await installing;
  assert.equal(health.state, 'unhealthy');
  assert.equal(health.detail, 'healthcheck() did not end within 10 s.');

  const next = await home.host({ clock, answerMs: 10_000 });
  await next.awaitChecks();
  const { state, detail = '', checkedAt } = getHealth(next, 'it') ?? {};
  assert.equal(state, 'unchecked');
  assert.equal(checkedAt, null);
  assert.match(detail, /svc plugin healthcheck it/);
});

test('settings count without a restart; those of a plugin that was removed are listed with the way to remove them', async () => {
  using home = new PluginHome();
  const settings: Record<string, { config: Record<string, unknown> }> = {};
  const required = { key: { type: 'string', description: 'The key.', required: true } };
  const host = await home.host({ settings });
  const spec = home.executorTarball('it', greeter(), { settings: required });
  assert.is((await host.install({ spec })).health.state, 'unhealthy');
  settings.it = { config: { key: 'k' } };
  await host.takeUp();
  await host.awaitChecks();
  assert.is(getHealth(host, 'it')?.state, 'healthy');

  await host.uninstall('it');
  const leftover = host.list().find(({ id }) => id === 'it');
  assert.equal(leftover?.origin, 'leftover');
  assert.equal(leftover?.kind, null);
  assert.equal(leftover?.health.state, 'unchecked');
  assert.match(leftover?.health.detail ?? '', /svc config set plugins\.installed\.it --unset/);
  Reflect.deleteProperty(settings, 'it');
  await host.takeUp();
  assert.not(host.list().some(({ id }) => id === 'it'));
});

test('a plugin is changing while it is installed, and from a change of its settings until it uses them', async () => {
  using home = new PluginHome();
  const settings: Record<string, { config: Record<string, unknown> }> = {};
  const key = { key: { type: 'string', description: 'The key.' } };
  const host = await home.host({ settings });
  assert.is(host.isChanging('it'), false);
  const spec = home.executorTarball('it', greeter(), { settings: key });
  await host.install({ spec });
  assert.is(host.isChanging('it'), false);
  settings.it = { config: { key: 'k' } };
  assert.is(host.isChanging('it'), true);
  await host.takeUp();
  assert.is(host.isChanging('it'), false);
});

test('who listens hears of each plugin that is installed, has other settings or is removed, and of nothing else', async () => {
  using home = new PluginHome();
  const settings: Record<string, { config: Record<string, unknown> }> = {};
  const key = { key: { type: 'string', description: 'The key.' } };
  const host = await home.host({ settings });
  let changes = 0;
  const stop = host.onChange(() => (changes += 1));
  await host.install({ spec: home.executorTarball('it', greeter(), { settings: key }) });
  assert.is(changes, 1);
  await host.takeUp();
  assert.is(changes, 1);
  settings.it = { config: { key: 'k' } };
  await host.takeUp();
  assert.is(changes, 2);
  await host.uninstall('it');
  assert.is(changes, 3);
  stop();
  settings.it = { config: { key: 'l' } };
  await host.takeUp();
  assert.is(changes, 3);
});

test('the kit uses the settings of samples.config: a plugin can be tried before it is configured', async () => {
  using home = new PluginHome();
  const settings = { key: { type: 'string', description: 'The key.', required: true } };
  const host = await home.host();
  const sampled = greeter().replace('samples: {', "samples: { config: { key: 'k' },");
  await host.install({ spec: home.executorTarball('it', sampled, { settings }) });
  assert.is((await host.test('it')).passed, true);
  await host.install({ spec: home.executorTarball('bare', greeter(), { settings }) });
  const { cases, passed } = await host.test('bare');
  assert.is(passed, false);
  assert.match(cases[0]?.detail ?? '', /"key" is missing: The key\. Set it, or .*samples\.config/);
});

test('what a vendor refuses is the error of its login, without the code (HTTP-7)', async () => {
  using home = new PluginHome();
  await using vendor = await fakeVendor();
  const settings = { fake: { config: { site: vendor.url }, allowHosts: ['127.0.0.1'] } };
  const { logins, install } = await home.host({ settings });
  await install({ spec: writeFiles(join(home.dir, 'fake'), OAUTH_PLUGIN) });
  const { state } = await logins.start('fake', 'me', 'http://127.0.0.1/dashboard/plugins');
  const answer = { executor: 'fake', state: state ?? '', code: 'canary-stolen-code' };
  const keep = async (): Promise<string[]> => {
    throw new Error('a token was stored');
  };
  const refused = await catchRefusal(() => logins.callback(answer, 'me', keep));
  assert.is(refused.code, 'bad-argument');
  assert.match(refused.message, /^The vendor refuses the code \S+ invalid_grant$/);
  assert.is(refused.message.includes('canary-stolen-code'), false);
  assert.is(logins.status('me')[0]?.phase, 'failed');
});

test.run();
