import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLoki } from '../../src/providers/loki/loki.ts';
import { createObservabilityServer } from '../../src/providers/observability/server.ts';
import { createTempo } from '../../src/providers/tempo/tempo.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import { createGuardedRequest } from '../../src/plugins/guardedRequest.ts';
import { AnsweringServer } from '../support/http/answeringServer.ts';
import { catchRefusal } from '../support/refusal.ts';
import { REMOTE_CLIENTS } from '../support/forges/remoteClients.ts';

const test = suite('health of remote accounts');

const request = createGuardedRequest('sample', ['127.0.0.1']);
const CLIENTS = {
  ...REMOTE_CLIENTS,
  loki: (baseUrl: string) =>
    createLoki(createObservabilityServer('Loki', { baseUrl }, request), systemClock),
  tempo: (baseUrl: string) =>
    createTempo(createObservabilityServer('Tempo', { baseUrl }, request), systemClock),
};

const ANSWERS: Readonly<
  Record<string, { status: number; body: string; headers?: Record<string, string> }>
> = {
  'an empty object': { status: 200, body: '{}' },
  'an array': { status: 200, body: '[]' },
  null: { status: 200, body: 'null' },
  'a number where the account is': {
    status: 200,
    body: '{"login":1,"id":"x","uuid":2,"accountId":3,"data":{"viewer":4}}',
  },
  'the page of a captive portal': {
    status: 200,
    body: '<html>Welcome to the hotel</html>',
    headers: { 'content-type': 'text/html' },
  },
  'a redirect to a login page': {
    status: 302,
    body: '',
    headers: { location: 'http://portal.invalid/login' },
  },
  'a redirect on the same server': { status: 302, body: '', headers: { location: '/login' } },
};

for (const [name, open] of Object.entries(CLIENTS)) {
  test(`${name}: an answer that names no account is unhealthy, with a text that explains it (PLUG-1)`, async () => {
    for (const [what, { status, body, headers }] of Object.entries(ANSWERS)) {
      const server = await new AnsweringServer((_req, res) =>
        res.writeHead(status, headers).end(body),
      ).start();
      try {
        const { code, message } = await catchRefusal(() => open(server.url).healthcheck());
        assert.ok(['config-invalid', 'unreachable'].includes(code), `${what}: ${code} ${message}`);
        assert.not.match(message, /undefined|former user/, what);
      } finally {
        server.stop();
      }
    }
  });
}

const MIB = 1024 * 1024;
/** Packed 400 KiB, unpacked 400 MiB. */
const BOMB = gzipSync(Buffer.alloc(400 * MIB, ' '));

for (const [name, open] of Object.entries(REMOTE_CLIENTS)) {
  test(`${name}: an answer that unpacks to 400 MiB is given up at 8 MiB; memory and other work are not affected`, async () => {
    const server = await new AnsweringServer((_req, res) =>
      res
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(BOMB),
    ).start();
    const before = process.memoryUsage().rss;
    let [longest, last] = [0, process.cpuUsage()];
    const beat = setInterval(() => {
      longest = Math.max(longest, process.cpuUsage(last).user / 1_000);
      last = process.cpuUsage();
    }, 5);
    const { code, message } = await catchRefusal(() => open(server.url).healthcheck());
    clearInterval(beat);
    assert.is(code, 'too-large', message);
    assert.match(message, /answers with more than 8 MiB/);
    assert.ok(
      process.memoryUsage().rss - before < 100 * MIB,
      `${(process.memoryUsage().rss - before) / MIB} MiB more`,
    );
    assert.ok(longest < 1_000, `the event loop was blocked for ${longest} ms of a processor`);
    server.stop();
  });
}

test('a diff may be larger than an answer of an API, up to 16 MiB', async () => {
  for (const [size, expected] of [
    [10, null],
    [20, 'too-large'],
  ] as const) {
    const server = await new AnsweringServer((_req, res) =>
      res
        .writeHead(200, { 'content-type': 'text/plain' })
        .end('diff --git '.padEnd(size * MIB, 'x')),
    ).start();
    for (const open of [REMOTE_CLIENTS.github, REMOTE_CLIENTS.gitlab, REMOTE_CLIENTS.bitbucket]) {
      const diff = open(server.url).diff('acme/shop', 1);
      if (expected === null) assert.is((await diff).length, size * MIB);
      else assert.is((await catchRefusal(() => diff)).code, expected);
    }
    server.stop();
  }
});

test.run();
