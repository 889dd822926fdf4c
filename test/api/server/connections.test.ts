import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CONNECTION_LIMITS, MAX_HEADERS } from '../../../src/api/server/connections.ts';
import { MAX_STREAMS } from '../../../src/api/server/streams/openStreams.ts';
import { JOB_ID } from '../../support/http/fakeFacade.ts';
import {
  ask,
  openSurface,
  problemIn,
  type Surface,
  TOKEN,
} from '../../support/http/httpSurface.ts';

const test = suite('http connections');

/** What comes back for exactly these lines, with the head of a request around them. */
async function withHeaders(
  { port }: Surface,
  lines: readonly string[],
  path = '/jobs',
): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`,
  );
  return text(socket);
}

const filler = (count: number): string[] => Array.from({ length: count }, () => 'A: b');

test('headers beyond what Node keeps are seen: filler does not hide what a proxy has added', async () => {
  await using surface = await openSurface();
  assert.match(
    await withHeaders(surface, [...filler(50), 'X-Forwarded-For: 203.0.113.9']),
    /^HTTP\/1\.1 401 /,
  );
  for (const count of [100, 999, 1_000, 2_100]) {
    const reply = await withHeaders(surface, [...filler(count), 'X-Forwarded-For: 203.0.113.9']);
    assert.match(reply, /^HTTP\/1\.1 431 /, String(count));
    assert.match(reply, /"code":"too-many-headers"/);
  }
  assert.match(
    await withHeaders(surface, [...filler(2_100), 'Origin: http://evil.example']),
    /^HTTP\/1\.1 431 /,
  );
  assert.match(await withHeaders(surface, filler(MAX_HEADERS - 2)), /^HTTP\/1\.1 200 /);
  assert.match(await withHeaders(surface, filler(MAX_HEADERS - 1)), /^HTTP\/1\.1 431 /);
  assert.match(await withHeaders(surface, filler(1_000), '/webhooks/github'), /^HTTP\/1\.1 431 /);
});

test('every sign of a proxy makes a request remote, so that it needs the token', async () => {
  await using surface = await openSurface();
  const names = [
    'Forwarded',
    'Forwarded-For',
    'X-True-Client-IP',
    'X-Originating-IP',
    'CloudFront-Viewer-Address',
    'Akamai-Origin-Hop',
    'Incap-Client-IP',
    'X-Coming-From',
    'Z-Forwarded-For',
    'Remote-Ip',
    'Via',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'X-Forwarded-Port',
    'X-Forwarded-Server',
    'X-Forwarded-Anything',
    'x-forwarded',
    'X_Forwarded_For',
    'X-Real-IP',
    'X-Client-IP',
    'X-Cluster-Client-IP',
    'X-Original-Host',
    'X-Original-Forwarded-For',
    'True-Client-IP',
    'Client-IP',
    'CF-Connecting-IP',
    'CF-Ray',
    'CF-Visitor',
    'CDN-Loop',
    'Tailscale-User-Login',
    'Tailscale-Headers-Info',
    'Fly-Client-IP',
    'Fly-Region',
    'Fastly-Client-IP',
    'Ngrok-Skip-Browser-Warning',
    'X-Envoy-External-Address',
    'X-Amzn-Trace-Id',
    'Proxy-Connection',
  ];
  for (const name of names)
    assert.is((await ask(surface, '/jobs', { headers: { [name]: '' } })).status, 401, name);
  for (const name of ['User-Agent', 'X-Request-Id', 'Accept-Language', 'Sec-Fetch-Site'])
    assert.is((await ask(surface, '/jobs', { headers: { [name]: 'none' } })).status, 200, name);
});

test('HTTP/1.0, which nginx speaks to what stands behind it, is such a sign', async () => {
  await using surface = await openSurface();
  const reply = async (more: string) => {
    const socket = connect(surface.port, '127.0.0.1');
    socket.write(`GET /jobs HTTP/1.0\r\nHost: localhost\r\n${more}\r\n`);
    return text(socket);
  };
  assert.match(await reply(''), /^HTTP\/1\.1 401 /);
  assert.match(await reply(`Authorization: Bearer ${TOKEN}\r\n`), /^HTTP\/1\.1 200 /);
});

test('a client that is slow with the head or the body of a request is cut, and a stream that lasts is not', async () => {
  const limits = { connections: 100, headersMs: 60, requestMs: 120, checkMs: 20 };
  await using surface = await openSurface({ limits });
  const [streamed]: [IncomingMessage] = (await once(
    get(`${surface.url}/jobs/stream`),
    'response',
  )) as [IncomingMessage];
  const cut = async (begin: string): Promise<string> => {
    const socket = connect(surface.port, '127.0.0.1');
    socket.write(begin);
    return text(socket);
  };
  const post = `POST /jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;
  const [silent, head, body] = await Promise.all([
    cut(''),
    cut('GET /jobs HTTP/1.1\r\nHost: loc'),
    cut(`${post}Content-Length: 100\r\n\r\n{"type`),
  ]);
  for (const reply of [silent, head, body]) assert.match(reply, /^HTTP\/1\.1 408 /);
  assert.is(streamed.destroyed, false);
  const next = once(streamed, 'data');
  surface.clock.advance(15_000);
  assert.match(String((await next)[0]), /retry|still here/);
  streamed.destroy();
});

test('a slow client is gone after thirty seconds at the latest', () => {
  const { headersMs, requestMs, checkMs } = CONNECTION_LIMITS;
  assert.ok(Math.max(headersMs, requestMs) + checkMs <= 30_000);
});

test('connections above the limit get a 503 with the reason, and existing ones continue', async () => {
  await using surface = await openSurface({ limits: { ...CONNECTION_LIMITS, connections: 3 } });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const health = async (): Promise<number | undefined> => {
    const [reply]: [IncomingMessage] = (await once(
      get(`${surface.url}/health`, { agent }),
      'response',
    )) as [IncomingMessage];
    await text(reply);
    return reply.statusCode;
  };
  assert.is(await health(), 200);
  const idle: Socket[] = [];
  for (let n = 0; n < 2; n++) {
    const socket = connect(surface.port, '127.0.0.1');
    await once(socket, 'connect');
    idle.push(socket);
  }
  const refused = await ask(surface, '/health');
  assert.equal(problemIn(refused), {
    status: 503,
    code: 'busy',
    detail: 'Too many connections are open. Close some or try again shortly.',
  });
  assert.equal(refused.headers.connection, 'close');
  assert.equal(refused.headers['retry-after'], '1');
  assert.is(await health(), 200);
  for (const socket of idle) socket.destroy();
  agent.destroy();
});

test('a stream too many is refused before it begins, and HEAD takes none', async () => {
  assert.ok(MAX_STREAMS < CONNECTION_LIMITS.connections);
  await using surface = await openSurface();
  const open: IncomingMessage[] = [];
  for (let n = 0; n < MAX_STREAMS; n++) {
    const path = n % 2 === 0 ? '/jobs/stream' : `/jobs/${JOB_ID}/stream`;
    open.push(
      (
        (await once(get(`${surface.url}${path}`, { agent: false }), 'response')) as [
          IncomingMessage,
        ]
      )[0],
    );
  }
  for (const path of ['/jobs/stream', `/jobs/${JOB_ID}/stream`]) {
    assert.equal(problemIn(await ask(surface, path)).code, 'busy');
    assert.equal((await ask(surface, path, { method: 'HEAD' })).status, 200);
  }
  assert.is((await ask(surface, '/jobs')).status, 200);
  for (const stream of open) stream.destroy();
});

test.run();
