import Koa from 'koa';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDeferred } from '../../../src/base/concurrency/createDeferred.ts';
import type { RunnerReply } from '../../../src/cloud/runners/runnerDirectory.ts';
import { sendRunnerReply } from '../../../src/cloud/runners/sendRunnerReply.ts';

const test = suite('cloud: what of a reply of a runner reaches a browser');

async function* toBody(text: string, breaks = false): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
  if (breaks) throw new Error('the runner has gone');
}

/** A runner's reply as it arrives at a browser. */
async function receive(
  reply: Omit<RunnerReply, 'body'> & { text?: string; breaks?: boolean },
  isDownload = false,
): Promise<{ status: number; headers: Headers; text: string }> {
  const koa = new Koa();
  koa.silent = true;
  koa.use((ctx) => {
    const { text = 'bytes', breaks = false, ...head } = reply;
    const runnerReply = { ...head, body: toBody(text, breaks) };
    sendRunnerReply(ctx, runnerReply, { prefix: '/teams/acme', isDownload });
  });
  const server = createServer(koa.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const got = await fetch(`http://127.0.0.1:${port}/`);
    return { status: got.status, headers: got.headers, text: await got.text() };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const PAGES = [
  'text/html',
  'text/html; charset=utf-8',
  'TEXT/HTML',
  'image/svg+xml',
  'application/xhtml+xml',
  'text/xml',
  'text/javascript',
  'application/pdf',
  'multipart/mixed',
  'text/html\t',
  '',
];

for (const type of PAGES) {
  test(`a page is a download: ${JSON.stringify(type)} (RUN-2)`, async () => {
    const { headers } = await receive({ status: 200, headers: { 'content-type': type } });
    assert.is(headers.get('content-type'), 'application/octet-stream');
    assert.is(headers.get('content-disposition'), 'attachment');
    assert.match(headers.get('content-security-policy') ?? '', 'sandbox');
    assert.is(headers.get('x-content-type-options'), 'nosniff');
  });
}

test('types of the API pass, an artefact is a download whatever its type', async () => {
  const json = await receive({
    status: 200,
    headers: { 'content-type': 'application/json' },
    text: '{}',
  });
  assert.is(json.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.is(json.headers.get('content-disposition'), null);
  const problem = await receive({
    status: 404,
    headers: { 'content-type': 'application/problem+json' },
  });
  assert.equal(
    [problem.status, problem.headers.get('content-type')],
    [404, 'application/problem+json'],
  );
  const plain = await receive({ status: 200, headers: { 'content-type': 'text/plain' } }, true);
  assert.is(plain.headers.get('content-disposition'), 'attachment');
});

test('a stream says that no proxy may collect its events', async () => {
  const headers = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'yes' };
  const stream = await receive({ status: 200, headers });
  assert.is(stream.headers.get('x-accel-buffering'), 'no');
});

test('no other header passes, and those that do only in their form', async () => {
  const { headers } = await receive({
    status: 200,
    headers: {
      'content-type': 'application/json',
      'set-cookie': 'a=b',
      location: 'https://evil.example',
      refresh: '0;url=https://evil.example',
      'access-control-allow-origin': '*',
      'content-encoding': 'gzip',
      'clear-site-data': '"*"',
      'x-total-count': '12',
      etag: '"abc"',
      'retry-after': 'soon',
      'x-head-commit': '<script>',
      'content-disposition': 'inline',
    },
  });
  for (const name of [
    'set-cookie',
    'location',
    'refresh',
    'access-control-allow-origin',
    'content-encoding',
    'clear-site-data',
    'retry-after',
    'x-head-commit',
    'content-disposition',
  ])
    assert.is(headers.get(name), null, name);
  assert.equal([headers.get('x-total-count'), headers.get('etag')], ['12', '"abc"']);
});

test('links to pages of a list lead to the team, others are dropped', async () => {
  const link = async (value: string) =>
    (await receive({ status: 200, headers: { link: value } })).headers.get('link');
  assert.is(
    await link('</jobs?offset=0&limit=50>; rel="prev", </jobs?offset=100>; rel="next"'),
    '</teams/acme/jobs?offset=0&limit=50>; rel="prev", </teams/acme/jobs?offset=100>; rel="next"',
  );
  for (const bad of [
    '<https://evil.example>; rel="next"',
    '<//evil.example>; rel="next"',
    '</jobs>; rel="next"; onload="x"',
    '</jobs>; rel="preload"; as="script"',
    '</jobs>; rel="preload"',
  ])
    assert.is(await link(bad), null, bad);
});

test('a reply that breaks off does not look complete', async () => {
  const headers = { 'content-type': 'application/json' };
  const outcome = await receive({ status: 200, headers, breaks: true }).then(
    () => 'complete',
    () => 'broken',
  );
  assert.is(outcome, 'broken');
});

/** All bytes that a client of two requests on one connection gets, and whether the connection was closed. */
for (const length of [1, 9])
  test(`a reply that came in one frame is never sent with another length than it has: ${length}`, async () => {
    const fullBody = new TextEncoder().encode('bytes');
    const headers = { 'content-type': 'application/json', 'content-length': String(length) };
    const outcome = await receive({ status: 200, headers, fullBody }).then(
      ({ text }) => text,
      () => 'broken',
    );
    assert.is(outcome, 'broken');
  });

async function receiveRaw(length: number, parts: readonly string[]): Promise<string> {
  const koa = new Koa();
  koa.silent = true;
  const moreMayCome = createDeferred<void>();
  async function* body(): AsyncGenerator<Uint8Array> {
    for (const [index, part] of parts.entries()) {
      if (index > 0) await moreMayCome.promise;
      yield new TextEncoder().encode(part);
    }
  }
  koa.use((ctx) => {
    if (ctx.path === '/next') ctx.body = 'the reply of someone else';
    else
      sendRunnerReply(
        ctx,
        { status: 200, headers: { 'content-length': String(length) }, body: body() },
        { prefix: '/teams/acme' },
      );
  });
  const server = createServer(koa.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  try {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise<void>((resolve) => {
      socket.on('data', (bytes) => {
        text += bytes;
        if (!text.includes('first')) return;
        socket.write('GET /next HTTP/1.1\r\nHost: x\r\n\r\n');
        moreMayCome.resolve();
      });
      socket.on('error', () => resolve());
      socket.on('close', () => resolve());
      setTimeout(() => socket.end(), 300).unref();
    });
    return text;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

test('bytes beyond the length of a reply never reach the connection', async () => {
  const forged = 'HTTP/1.1 200 OK\r\nSet-Cookie: svc_session=x\r\nContent-Length: 2\r\n\r\nhi';
  const together = await receiveRaw(5, [`first${forged}`]);
  assert.not.match(together, 'Set-Cookie: svc_session');
  const later = await receiveRaw(5, ['first', forged]);
  assert.not.match(later, 'Set-Cookie: svc_session');
});

test('a reply that is shorter than its length does not look complete', async () => {
  const outcome = await receive({
    status: 200,
    headers: { 'content-type': 'application/json', 'content-length': '100' },
  }).then(
    () => 'complete',
    () => 'broken',
  );
  assert.is(outcome, 'broken');
});

test.run();
