import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sha256 } from '../../../src/base/system/ids/ids.ts';
import { JOB_ID } from '../../support/http/fakeFacade.ts';
import { ask, openSurface, problemIn } from '../../support/http/httpSurface.ts';

const test = suite('http files');

const dir = mkdtempSync(join(tmpdir(), 'svc-http-files-'));
test.after(() => rmSync(dir, { recursive: true, force: true }));

const PATH = `/jobs/${JOB_ID}/artifacts/plan/content`;

test('an artefact comes byte for byte, as a download that no browser runs (HTTP-4)', async () => {
  await using surface = await openSurface();
  const bytes = Buffer.from([0, 255, 10, 13, 60, 115, 99, 114, 105, 112, 116, 62]);
  const path = join(dir, 'blob');
  writeFileSync(path, bytes);
  surface.runner.artefactFile = {
    path,
    mime: 'text/html',
    size: bytes.length,
    title: 'Plan "ä"\n.html',
    sha256: sha256(bytes),
  };
  const response = await fetch(surface.url + PATH);
  assert.equal(Buffer.from(await response.arrayBuffer()), bytes);
  assert.is(response.headers.get('content-type'), 'text/html');
  assert.is(response.headers.get('content-length'), String(bytes.length));
  assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename=/);
  assert.is(response.headers.get('x-content-type-options'), 'nosniff');
  assert.is(
    response.headers.get('content-security-policy'),
    "sandbox; default-src 'none'; frame-ancestors 'none'",
  );
  assert.equal(surface.runner.calls, [['artefact', JOB_ID, 'plan']]);
  const head = await ask(surface, PATH, { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(head.headers['content-length'], String(bytes.length));
  assert.equal(head.text, '');
  const again = await ask(surface, PATH, { headers: { 'If-None-Match': `"${sha256(bytes)}"` } });
  assert.equal(again.status, 304);
  assert.equal(again.text, '');
});

test('a media type that is none becomes plain bytes, and a header cannot be smuggled in by it (HTTP-4)', async () => {
  await using surface = await openSurface();
  const path = join(dir, 'blob2');
  writeFileSync(path, 'x');
  for (const mime of [
    '',
    'html',
    'text/html\r\nSet-Cookie: a=b',
    'text/html; charset=utf-8; boundary="x"',
  ]) {
    surface.runner.artefactFile = {
      path,
      mime,
      size: 1,
      title: '../../etc/passwd',
      sha256: sha256(Buffer.from('x')),
    };
    const { status, headers } = await ask(surface, PATH);
    assert.equal(status, 200, mime);
    assert.equal(headers['content-type'], 'application/octet-stream', mime);
    assert.equal(headers['content-disposition'], 'attachment; filename="passwd"', mime);
    assert.equal(headers['set-cookie'], undefined, mime);
  }
});

test('an artefact whose file is gone is a 500 that reports it, without the path (HTTP-4)', async () => {
  await using surface = await openSurface();
  for (const path of [join(dir, 'missing'), dir]) {
    surface.runner.artefactFile = { ...surface.runner.artefactFile, path };
    const answer = await ask(surface, PATH);
    assert.is(problemIn(answer).status, 500);
    assert.is(answer.text.includes(dir), false);
  }
});

test('bytes that are not those that were stored, and a link in their place, are a 500 without a byte of them (HTTP-4)', async () => {
  await using surface = await openSurface();
  const artefact = {
    ...surface.runner.artefactFile,
    size: 6,
    sha256: sha256(Buffer.from('stored')),
  };
  const [changed, longer, real, link] = ['changed', 'longer', 'real', 'link'].map((name) =>
    join(dir, name),
  ) as [string, string, string, string];
  writeFileSync(changed, 'STORED');
  writeFileSync(longer, 'stored and more');
  writeFileSync(real, 'stored');
  symlinkSync(real, link);
  for (const path of [changed, longer, link]) {
    surface.runner.artefactFile = { ...artefact, path };
    const answer = await ask(surface, PATH);
    assert.equal(problemIn(answer).status, 500, path);
    assert.equal(answer.text.toLowerCase().includes('stored and'), false, path);
    assert.equal(answer.text.includes('STORED'), false, path);
  }
});

test('the dashboard is served from its folder, hashed files for ever, the page fresh (HTTP-9)', async () => {
  const built = join(dir, 'ui');
  mkdirSync(join(built, 'assets'), { recursive: true });
  writeFileSync(join(built, 'index.html'), '<title>svc</title>');
  writeFileSync(join(built, 'assets', 'app-1a2b.js'), 'export {};');
  await using surface = await openSurface({ dashboardDir: built });
  for (const path of ['/', '/dashboard']) {
    const { status, headers } = await ask(surface, path);
    assert.equal(status, 302, path);
    assert.equal(headers.location, '/dashboard/', path);
  }
  const page = await ask(surface, '/dashboard/');
  assert.equal(page.status, 200);
  assert.equal(page.text, '<title>svc</title>');
  assert.equal(page.headers['cache-control'], 'no-cache');
  assert.is(page.headers['content-type'], 'text/html; charset=utf-8');
  const script = await ask(surface, '/dashboard/assets/app-1a2b.js');
  assert.equal(script.status, 200);
  assert.equal(script.text, 'export {};');
  assert.equal(script.headers['cache-control'], 'public, max-age=31536000, immutable');
  const posted = await ask(surface, '/dashboard/', { method: 'POST' });
  assert.equal(posted.status, 405);
  assert.equal(posted.headers.allow, 'GET, HEAD');
});

test('a file that the build has compressed is sent so to who takes brotli; one outside the folder is not (HTTP-9)', async () => {
  const built = join(dir, 'compressed');
  mkdirSync(join(built, 'assets'), { recursive: true });
  writeFileSync(join(dir, 'secret.br'), brotliCompressSync('secret'));
  for (const name of ['app', 'linked']) writeFileSync(join(built, `assets/${name}.js`), 'plain');
  writeFileSync(join(built, 'assets/app.js.br'), brotliCompressSync('compressed'));
  symlinkSync(join(dir, 'secret.br'), join(built, 'assets/linked.js.br'));
  await using surface = await openSurface({ dashboardDir: built });
  const read = async (name: string, encoding: string) => {
    const response = await fetch(`${surface.url}/dashboard/assets/${name}.js`, {
      headers: { 'Accept-Encoding': encoding },
    });
    const { headers } = response;
    return [await response.text(), headers.get('content-encoding'), headers.get('content-type')];
  };
  const type = 'text/javascript; charset=utf-8';
  assert.equal(await read('app', 'gzip, br'), ['compressed', 'br', type]);
  assert.equal(await read('app', 'gzip'), ['plain', null, type]);
  assert.equal(await read('linked', 'br'), ['plain', null, type]);
});

test('a deep link to a page of the dashboard serves the app, which finds its place in the path (HTTP-9)', async () => {
  const built = join(dir, 'ui3');
  mkdirSync(built);
  writeFileSync(join(built, 'index.html'), 'the app');
  await using surface = await openSurface({ dashboardDir: built });
  for (const path of [
    `jobs/${JOB_ID}`,
    `jobs/${JOB_ID}/changes/local%3Aacme%2Fshop%231`,
    'jobs/x?q=1',
    'inbox',
    'board',
    'new',
    'workflows',
    'machines/job/',
  ]) {
    const { status, text, headers } = await ask(surface, `/dashboard/${path}`);
    assert.equal(status, 200, path);
    assert.equal(text, 'the app', path);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8', path);
  }
  assert.is((await ask(surface, '/dashboard/jobs/x', { method: 'HEAD' })).status, 200);
  for (const path of [
    'jobs/../../secret',
    'jobs/%2e%2e/x',
    'jobs/..%2f..%2fx',
    'jobs/%zz',
    'jobs.js',
    'nothing',
    'assets/none.js',
  ])
    assert.is((await ask(surface, `/dashboard/${path}`)).status, 404, path);
});

test('nothing outside the dashboard folder can be had, by path or by link (HTTP-9)', async () => {
  const built = join(dir, 'ui2');
  mkdirSync(built);
  writeFileSync(join(dir, 'secret.txt'), 'secret');
  mkdirSync(join(dir, 'ui2-other'));
  writeFileSync(join(dir, 'ui2-other', 'x.txt'), 'secret');
  writeFileSync(join(built, 'index.html'), 'page');
  writeFileSync(join(built, '.hidden'), 'secret');
  writeFileSync(join(built, 'data.txt'), 'data');
  symlinkSync(join(dir, 'secret.txt'), join(built, 'link.txt'));
  symlinkSync(join(dir, 'secret.txt'), join(built, 'data.txt.gz'));
  symlinkSync(dir, join(built, 'up'));
  await using surface = await openSurface({ dashboardDir: built });
  const paths = [
    '../secret.txt',
    '%2e%2e/secret.txt',
    '..%2fsecret.txt',
    '..%5csecret.txt',
    '../ui2-other/x.txt',
    'link.txt',
    'up/secret.txt',
    '.hidden',
    'a%00b',
    '%zz',
    'nothing.js',
    '/etc/hostname',
  ];
  for (const path of paths) {
    const answer = await ask(surface, `/dashboard/${path}`, {
      headers: { 'Accept-Encoding': 'gzip, br' },
    });
    assert.equal(problemIn(answer).code, 'not-found', path);
    assert.equal(answer.text.includes('secret"'), false, path);
  }
  const data = await ask(surface, '/dashboard/data.txt', {
    headers: { 'Accept-Encoding': 'gzip, br' },
  });
  assert.equal(data.status, 200);
  assert.equal(data.text, 'data');
});

test('without a built dashboard the answer says how to build it (HTTP-9)', async () => {
  await using surface = await openSurface();
  assert.equal(problemIn(await ask(surface, '/dashboard/')), {
    status: 404,
    code: 'not-found',
    detail:
      'The dashboard is not built: run `npm run build` in the svc folder and restart the runner.',
  });
});

test.run();
