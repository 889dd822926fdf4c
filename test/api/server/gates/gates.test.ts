import { neverAway } from '../../../../src/base/concurrency/unlessAway.ts';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import { createApp, type ToolEndpoint } from '../../../../src/api/server/app.ts';
import { listenForRequests } from '../../../../src/api/server/listenForRequests.ts';
import { MemoryLogins } from '../../../support/http/memoryLogins.ts';
import { MemoryTrail } from '../../../support/http/memoryTrail.ts';
import { FakeConfiguration } from '../../../support/http/fakeConfiguration.ts';
import { fakeNotifications } from '../../../support/http/fakeNotifications.ts';
import { FakeSetUp } from '../../../support/http/fakeSetUp.ts';
import { FakeTrust } from '../../../support/http/fakeTrust.ts';
import { FakeIntake } from '../../../support/http/fakeIntake.ts';
import { FakePlugins } from '../../../support/http/fakePlugins.ts';
import { FakeRunner, JOB_ID } from '../../../support/http/fakeFacade.ts';
import {
  ask,
  openSurface,
  post,
  problemIn,
  type Surface,
  TOKEN,
} from '../../../support/http/httpSurface.ts';
import { SimulatedClock } from '../../../support/charts/simulatedClock.ts';
import { unscreened } from '../../../support/standIns/unscreened.ts';
import { noBrokenRows } from '../../../support/standIns/noBrokenRows.ts';

const test = suite('http gates');

/** What came back for exactly these bytes. */
async function raw({ port }: Surface, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(bytes);
  return text(socket);
}

test('a foreign host name that resolves to the runner is refused on every route (DNS rebinding)', async () => {
  const tools = { handle: async () => assert.unreachable('a tool was called') };
  await using surface = await openSurface({ tools });
  const paths = [
    '/health',
    '/jobs',
    `/jobs/${JOB_ID}/stream`,
    '/dashboard/',
    '/',
    '/mcp/x',
    '/login/x',
    '/nothing',
  ];
  for (const path of paths) {
    for (const host of [
      'evil.example',
      `evil.example:${surface.port}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '127.0.0.2',
      'localhost@evil.example',
    ]) {
      const { status, code } = problemIn(await ask(surface, path, { headers: { Host: host } }));
      assert.equal(status, 403, `${path} ${host}`);
      assert.equal(code, 'foreign-host', `${path} ${host}`);
    }
  }
  assert.equal(surface.runner.calls, []);
});

test('a request without Host, and one with an absolute target, get nowhere', async () => {
  await using surface = await openSurface();
  assert.match(await raw(surface, 'GET /health HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 403 /);
  assert.match(
    await raw(surface, 'GET /health HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n'),
    /^HTTP\/1\.1 403 /,
  );
  assert.match(
    await raw(surface, 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'),
    /^HTTP\/1\.1 400 /,
  );
  assert.match(
    await raw(
      surface,
      `GET http://localhost/health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    ),
    /^HTTP\/1\.1 403 /,
  );
  assert.equal(surface.runner.calls, []);
});

test('the names of loopback are served, whatever the port in them: ports get forwarded', async () => {
  await using surface = await openSurface();
  for (const host of [
    'localhost',
    `localhost:${surface.port}`,
    'LOCALHOST:3000',
    '127.0.0.1',
    '[::1]',
    '[::1]:3000',
  ]) {
    assert.is((await ask(surface, '/health', { headers: { Host: host } })).status, 200, host);
  }
});

test('the configured address of a proxy is served, with a credential, and no other one', async () => {
  await using surface = await openSurface({ publicUrl: 'https://svc.example.com/' });
  const proxied = { Host: 'svc.example.com', Origin: 'https://svc.example.com' };
  const pause = (headers: Record<string, string>) =>
    post(surface, `/jobs/${JOB_ID}/pause`, {}, headers);
  assert.is((await pause(proxied)).status, 200);
  // A proxy that puts its own name into Host leaves the origin of the page.
  assert.is((await pause({ Origin: 'https://svc.example.com' })).status, 200);
  assert.is((await pause({ ...proxied, Origin: 'http://svc.example.com' })).status, 403);
  assert.is((await pause({ ...proxied, Host: 'www.svc.example.com' })).status, 403);
  // On this machine reading is open; through the proxy it is not.
  assert.is((await ask(surface, '/jobs')).status, 200);
  assert.is((await ask(surface, '/jobs', { headers: { Host: 'svc.example.com' } })).status, 401);
});

test('a page of another origin gets 403, the dashboard an answer, and neither a CORS header', async () => {
  await using surface = await openSurface();
  const own = `http://127.0.0.1:${surface.port}`;
  const as = (origin: string) => post(surface, `/jobs/${JOB_ID}/pause`, {}, { Origin: origin });
  const foreign = [
    'https://evil.example',
    'null',
    'http://127.0.0.1',
    'http://127.0.0.1:1',
    `https://127.0.0.1:${surface.port}`,
    `${own}.evil.example`,
    `http://localhost:${surface.port}`,
  ];
  for (const origin of foreign) {
    const answer = await as(origin);
    assert.equal(answer.status, 403, origin);
    assert.equal(Object(answer.json).code, 'foreign-origin', origin);
    assert.equal(
      Object.keys(answer.headers).filter((name) => name.startsWith('access-control-')),
      [],
    );
  }
  assert.equal(surface.runner.calls, []);
  const answer = await as(own);
  assert.is(answer.status, 200);
  assert.equal(
    Object.keys(answer.headers).filter((name) => name.startsWith('access-control-')),
    [],
  );
});

test('what another site causes is refused, reading included; a link from another port of localhost is not', async () => {
  await using surface = await openSurface();
  const as = async (site: string, mode: string) =>
    (await ask(surface, '/jobs', { headers: { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': mode } }))
      .status;
  assert.equal(await as('cross-site', 'no-cors'), 403);
  assert.equal(await as('cross-site', 'navigate'), 403);
  assert.equal(await as('same-site', 'no-cors'), 403);
  assert.equal(await as('same-site', 'navigate'), 200);
  assert.equal(await as('same-origin', 'cors'), 200);
  assert.equal(await as('none', 'navigate'), 200);
  assert.equal(await as('CROSS-SITE', 'no-cors'), 403);
  assert.equal(await as('Same-Site', 'no-cors'), 403);
  assert.equal(await as('cross-site, same-origin', 'cors'), 403, 'no browser says that');
  assert.equal(await as('something-new', 'cors'), 403);
});

test('a vendor leads a browser back to the page of plugins, and nowhere else (HTTP-7)', async () => {
  await using surface = await openSurface();
  const as = async (path: string, mode: string, dest: string, method = 'GET') => {
    const headers = {
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': mode,
      'Sec-Fetch-Dest': dest,
    };
    return (await ask(surface, path, { method, headers })).status;
  };
  const back = '/dashboard/plugins?code=c&state=s';
  // The surface has no dashboard: what passes the gate is not found.
  assert.is(await as(back, 'navigate', 'document'), 404);
  assert.is(await as(back, 'navigate', 'iframe'), 403);
  assert.is(await as(back, 'no-cors', 'script'), 403);
  assert.is(await as(back, 'navigate', 'document', 'POST'), 403);
  assert.is(await as('/dashboard/jobs', 'navigate', 'document'), 403);
  assert.is(await as('/config/vendor/login/status', 'navigate', 'document'), 403);
});

test('a preflight is never answered as a browser would need it', async () => {
  await using surface = await openSurface();
  const answer = await ask(surface, '/jobs', {
    method: 'OPTIONS',
    headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' },
  });
  assert.is(answer.status, 403);
});

test('every reply has the headers that keep browsers in bounds', async () => {
  await using surface = await openSurface();
  for (const path of ['/health', '/nothing', '/dashboard/']) {
    const { headers } = await ask(surface, path);
    assert.is(headers['x-content-type-options'], 'nosniff', path);
    assert.is(
      headers['content-security-policy'],
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    assert.is(headers['referrer-policy'], 'same-origin');
    assert.is(headers['cross-origin-resource-policy'], 'same-origin');
  }
});

test('the tool servers check tokens and read bodies of their own, so ours leaves both alone', async () => {
  const bodies: string[] = [];
  const tools: Pick<ToolEndpoint, 'handle'> = {
    async handle(req, res) {
      bodies.push(await text(req));
      res.writeHead(202).end('taken');
    },
  };
  await using surface = await openSurface({ auth: 'required', tools });
  const large = { jsonrpc: '2.0', method: 'ping', id: 'x'.repeat(2 * 1024 * 1024) };
  const answer = await post(surface, '/mcp/abc', large, { Authorization: 'Bearer of the phase' });
  assert.equal(answer.status, 202);
  assert.equal(answer.text, 'taken');
  assert.equal(bodies, [JSON.stringify(large)]);
  const plain = await ask(surface, '/mcp/abc', {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain' },
    body: '{}',
  });
  assert.is(plain.status, 415);
});

test('a tool server that breaks before its reply is a problem document like everything else', async () => {
  const tools: Pick<ToolEndpoint, 'handle'> = { handle: () => Promise.reject(new Error('broken')) };
  await using surface = await openSurface({ tools });
  assert.equal(problemIn(await post(surface, '/mcp/abc', {})).code, 'internal');
});

test('an address that others can reach is not opened without a token', async () => {
  const app = createApp({
    awaySince: neverAway,
    screen: unscreened,
    brokenRows: noBrokenRows,
    runner: new FakeRunner(),
    intake: new FakeIntake(),
    config: new FakeConfiguration(),
    trust: new FakeTrust(),
    setUp: new FakeSetUp(),
    notifications: fakeNotifications,
    trail: new MemoryTrail(),
    plugins: new FakePlugins(),
    settings: { version: '0.2.0', server: { host: '0.0.0.0', port: 0, auth: 'off' } },
    token: TOKEN,
    tools: { handle: async () => undefined, isToken: () => false },
    loginTable: new MemoryLogins(),
    webhooks: () => false,
    log: { warn: () => undefined, error: () => undefined, debug: () => undefined },
    dashboardDir: null,
    clock: new SimulatedClock(),
  });
  const readCode = async (host: string, auth: 'auto' | 'off', token: string) => {
    try {
      const server = await listenForRequests(app, { host, port: 0, token, auth });
      await server.close();
      return 'listened';
    } catch (error) {
      return error instanceof SvcError ? error.code : error;
    }
  };
  assert.is(await readCode('0.0.0.0', 'off', TOKEN), 'config-invalid');
  assert.is(await readCode('::', 'auto', ''), 'config-invalid');
  assert.is(await readCode('svc.example', 'off', TOKEN), 'config-invalid');
  assert.is(await readCode('localhost', 'off', ''), 'listened');
  assert.is(await readCode('0.0.0.0', 'auto', TOKEN), 'listened');
});

test('bound to every address it serves the one that was asked, and wants the token', async () => {
  await using surface = await openSurface({ host: '0.0.0.0' });
  const host = `127.0.0.1:${surface.port}`;
  assert.is((await ask(surface, '/health', { headers: { Host: host } })).status, 401);
  assert.is(
    (await ask(surface, '/health', { headers: { Host: host, Authorization: `Bearer ${TOKEN}` } }))
      .status,
    200,
  );
  assert.is(
    (
      await ask(surface, '/health', {
        headers: { Host: '10.9.8.7', Authorization: `Bearer ${TOKEN}` },
      })
    ).status,
    403,
  );
});

test('a port that is taken is named, with the way to another', async () => {
  await using surface = await openSurface();
  try {
    await openAt(surface.port);
    assert.unreachable('it listened twice');
  } catch (error) {
    assert.instance(error, SvcError);
    assert.is((error as SvcError).code, 'conflict');
    assert.match(
      (error as SvcError).message,
      new RegExp(`Port ${surface.port} on 127\\.0\\.0\\.1 is in use.*--port <n> or server\\.port`),
    );
  }
});

const openAt = (port: number) => {
  const app = createApp({
    awaySince: neverAway,
    screen: unscreened,
    brokenRows: noBrokenRows,
    runner: new FakeRunner(),
    intake: new FakeIntake(),
    config: new FakeConfiguration(),
    trust: new FakeTrust(),
    setUp: new FakeSetUp(),
    notifications: fakeNotifications,
    trail: new MemoryTrail(),
    plugins: new FakePlugins(),
    settings: { version: '0.2.0', server: { host: '127.0.0.1', port, auth: 'auto' } },
    token: TOKEN,
    tools: { handle: async () => undefined, isToken: () => false },
    loginTable: new MemoryLogins(),
    webhooks: () => false,
    log: { warn: () => undefined, error: () => undefined, debug: () => undefined },
    dashboardDir: null,
    clock: new SimulatedClock(),
  });
  return listenForRequests(app, { host: '127.0.0.1', port, token: TOKEN, auth: 'auto' });
};

test.run();
