import { setMaxListeners } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ServerResponse } from 'node:http';
import {
  MAX_OPEN_REQUESTS,
  MAX_OPEN_REQUESTS_OF_MEMBER,
} from '../../src/contract/channel/limits.ts';
import { CloudLink, type CloudLinkOptions } from '../../src/cloudLink/cloudLink.ts';
import type { RunnerReply, RunnerRequest } from '../../src/cloud/runners/runnerDirectory.ts';
import { defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../support/cloud/startTestControlPlane.ts';
import {
  asUser,
  linkOptions,
  openOwnServer,
  type OwnServer,
  pairHome,
  waitUntil,
  startTeamNode,
} from '../support/cloud/testTeam.ts';

const test = suite('link to the control plane');
const dbTest = defineDatabaseTests(test);

let node: TestControlPlane;
let own: OwnServer;
let link: CloudLink;
let runnerId: string;
let token: string;
const states: string[] = [];
/** Answers of the runner's own port that are still open. */
const open = new Set<ServerResponse>();
let sentBytes = 0;

const BIG = 6 * 1024 * 1024;

/** Plays a runner's API. */
function answer(url: string, res: ServerResponse, body: string): void {
  if (url === '/stream') {
    open.add(res);
    res.once('close', () => open.delete(res));
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write('data: 1\n\n');
    return;
  }
  if (url === '/endless') {
    open.add(res);
    res.once('close', () => open.delete(res));
    const more = () => {
      while (open.has(res)) {
        sentBytes += 65_536;
        if (!res.write(Buffer.alloc(65_536))) {
          res.once('drain', more);
          return;
        }
      }
    };
    more();
    return;
  }
  if (url === '/broken') {
    res.writeHead(200, { 'content-length': '100' });
    res.write('half');
    setTimeout(() => res.destroy(), 20);
    return;
  }
  if (url === '/big') {
    res.end(Buffer.alloc(BIG, 7));
    return;
  }
  res.writeHead(200, {
    'content-type': 'application/json',
    'set-cookie': 'a=b',
    'x-total-count': '3',
    'x-other': '1',
  });
  res.end(JSON.stringify({ bytes: body.length }));
}

const openLink = (more: Partial<CloudLinkOptions> = {}) =>
  new CloudLink(
    linkOptions(node.url, token, own.listener, {
      onConnection: (state) => void states.push(state),
      ...more,
    }),
  );

const toMember = (userId: string) => ({ userId, name: userId, role: 'owner' as const });

const ask = (request: Partial<RunnerRequest>, at = node): Promise<RunnerReply> =>
  at.runners.ask(runnerId, {
    method: 'GET',
    path: '/jobs',
    headers: {},
    body: null,
    person: { userId: 'ada', name: 'Ada', role: 'owner' },
    signal: new AbortController().signal,
    ...request,
  });

const readAll = async ({ body }: RunnerReply): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
};

const catchCode = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'answered',
    (error) => Object(error).code,
  );

dbTest('a node, and a runner that is connected to it', async () => {
  node = await startTeamNode();
  own = await openOwnServer((req, res, body) => answer(req.url ?? '', res, body));
  const { body } = await pairHome(node);
  ({ runnerId, token } = body);
  link = openLink();
  await waitUntil(() => states.at(-1) === 'connected');
});

dbTest('a request reaches the own port with the own token and the person (RUN-2)', async () => {
  const reply = await ask({
    path: '/jobs?limit=1',
    headers: {
      Accept: 'application/json',
      authorization: 'Bearer forged',
      cookie: 'a=b',
      host: 'elsewhere',
      connection: 'upgrade',
      'x-svc-person': 'forged',
      'x-svc-link': 'forged',
    },
  });
  assert.is(reply.status, 200);
  assert.equal(reply.headers, {
    'content-type': 'application/json',
    'x-total-count': '3',
    ...('content-length' in reply.headers
      ? { 'content-length': reply.headers['content-length'] }
      : {}),
  });
  assert.equal(JSON.parse(String(await readAll(reply))), { bytes: 0 });
  const { url, headers = {} } = own.requests.at(-1) ?? {};
  assert.is(url, '/jobs?limit=1');
  const { authorization, accept, cookie, host, connection } = headers;
  assert.equal(
    [authorization, accept, cookie],
    ['Bearer own-token', 'application/json', undefined],
  );
  assert.is(host, 'localhost');
  assert.is.not(connection, 'upgrade');
  assert.is(headers['x-svc-link'], 'link-secret');
  const person = Buffer.from(String(headers['x-svc-person']), 'base64url').toString();
  assert.equal(JSON.parse(person), { userId: 'ada', name: 'Ada', role: 'owner' });
});

dbTest('without a person it is the control plane, which may what a viewer may', async () => {
  await readAll(await ask({ person: null }));
  const header = own.requests.at(-1)?.headers['x-svc-person'];
  assert.is(JSON.parse(Buffer.from(String(header), 'base64url').toString()).role, 'viewer');
});

dbTest('a body of several parts arrives whole', async () => {
  const body = new TextEncoder().encode('x'.repeat(1_000_000));
  const reply = await ask({
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  assert.equal(JSON.parse(String(await readAll(reply))), { bytes: 1_000_000 });
});

dbTest('a reply of many parts arrives whole', async () => {
  const bytes = await readAll(await ask({ path: '/big' }));
  assert.is(bytes.length, BIG);
  assert.ok(bytes.every((byte) => byte === 7));
});

dbTest('methods that no team has, and a body that is too large, are refused', async () => {
  const statuses: number[] = [];
  for (const request of [
    { method: 'CONNECT' },
    { method: 'TRACE' },
    { method: 'POST', body: new Uint8Array(12 * 1024 * 1024 + 1) },
    { path: '/a b' },
  ])
    statuses.push((await ask(request)).status);
  assert.equal(statuses, [405, 405, 413, 400]);
});

dbTest('paths that try to leave arrive as they are', async () => {
  for (const path of [
    '/jobs/../config',
    '/jobs/%2e%2e/config',
    '/jobs%2F..%2Fconfig',
    '//config',
  ]) {
    await readAll(await ask({ path }));
    assert.is(own.requests.at(-1)?.url, path);
  }
});

dbTest('a reader that leaves in mid-stream ends the request at the own port', async () => {
  const leaving = new AbortController();
  const { body } = await ask({ path: '/stream', signal: leaving.signal });
  const reader = body[Symbol.asyncIterator]();
  assert.is(String(Buffer.from((await reader.next()).value)), 'data: 1\n\n');
  assert.is(open.size, 1);
  leaving.abort();
  await waitUntil(() => open.size === 0);
});

dbTest('a reader that does not read stops the source', async () => {
  const leaving = new AbortController();
  sentBytes = 0;
  const { body } = await ask({ path: '/endless', signal: leaving.signal });
  let last = -1;
  await waitUntil(async () => {
    const isStill = sentBytes === last;
    last = sentBytes;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return isStill;
  });
  // The window, and what lies in the buffers of two sockets.
  assert.ok(sentBytes < 16 * 1024 * 1024, `${sentBytes} bytes`);
  // Others are answered meanwhile.
  assert.is((await ask({})).status, 200);
  let read = 0;
  for await (const part of body) {
    read += part.length;
    if (read > 20 * 1024 * 1024) break;
  }
  await waitUntil(() => open.size === 0);
});

dbTest('a reply that breaks off is no whole one', async () => {
  assert.is(await catchCode(readAll(await ask({ path: '/broken' }))), 'runner-away');
});

dbTest('requests beyond the limit are refused, and those below it continue', async () => {
  const leaving = new AbortController();
  setMaxListeners(0, leaving.signal);
  // Of ten members, since one alone may not have as many.
  const requests = Array.from({ length: 300 }, (_, n) =>
    ask({ path: '/stream', signal: leaving.signal, person: toMember(`m${n % 10}`) }),
  );
  const replies = await Promise.all(requests);
  const statuses = replies.map(({ status }) => status);
  assert.is(statuses.filter((status) => status === 503).length, 300 - MAX_OPEN_REQUESTS);
  leaving.abort();
  await waitUntil(() => open.size === 0);
  assert.is((await ask({})).status, 200);
});

dbTest('a member who opens as many as they may keeps no one else out', async () => {
  const leaving = new AbortController();
  setMaxListeners(0, leaving.signal);
  const openOne = (userId: string) =>
    ask({ path: '/stream', signal: leaving.signal, person: toMember(userId) });
  const requests = Array.from({ length: MAX_OPEN_REQUESTS_OF_MEMBER + 1 }, () => openOne('eve'));
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  assert.equal(statuses.slice(-2), [200, 503]);
  assert.is((await openOne('ada')).status, 200);
  leaving.abort();
  await waitUntil(() => open.size === 0);
});

dbTest('another node forwards to the one that has the runner', async () => {
  const other = await startTeamNode({ databaseUrl: node.databaseUrl });
  const body = new TextEncoder().encode('{"a":1}');
  const reply = await ask(
    { method: 'POST', body, headers: { 'content-type': 'application/json' } },
    other,
  );
  assert.is(reply.headers['x-total-count'], '3');
  assert.equal(JSON.parse(String(await readAll(reply))), { bytes: 7 });
  assert.is((await readAll(await ask({ path: '/big' }, other))).length, BIG);
  const leaving = new AbortController();
  const stream = await ask({ path: '/stream', signal: leaving.signal }, other);
  await stream.body[Symbol.asyncIterator]().next();
  leaving.abort();
  await waitUntil(() => open.size === 0);
  const without = await fetch(`${other.url}/internal/runners/${runnerId}`, { method: 'POST' });
  assert.is(without.status, 404);
  await other.stop();
});

dbTest('a token is replaced over the socket, and the old one ends with its first use', async () => {
  const { openDatabase } = await import('../../src/cloud/database/openDatabase.ts');
  const { silentLog } = await import('../../src/base/system/log/log.ts');
  const { sql, close } = await openDatabase(node.databaseUrl, { log: silentLog, max: 1 });
  await sql`update runners set token_at = ${new Date(Date.now() - 8 * 24 * 3_600_000)}`;
  link.close();
  const saved: string[] = [];
  const old = token;
  states.length = 0;
  link = openLink({ saveToken: async (next) => void saved.push(next) });
  await waitUntil(async () => {
    const [row] = await sql`select previous_hash from runners`;
    return saved.length === 1 && row?.previous_hash === null;
  });
  await close();
  assert.is.not(saved[0], old);
  token = saved[0] ?? '';
  await waitUntil(async () => (await catchCode(ask({}))) === 'answered');
  link.close();
  states.length = 0;
  link = new CloudLink(
    linkOptions(node.url, old, own.listener, { onConnection: (state) => void states.push(state) }),
  );
  await waitUntil(() => states.at(-1) === 'refused');
  link.close();
});

dbTest('the first of two processes says that it was replaced, and stops trying', async () => {
  states.length = 0;
  const first = openLink();
  await waitUntil(() => states.at(-1) === 'connected');
  const second = openLink({ onConnection: () => undefined });
  await waitUntil(() => states.at(-1) === 'replaced');
  const stateCount = states.length;
  await waitUntil(async () => (await catchCode(ask({}))) === 'answered');
  assert.is(states.length, stateCount);
  first.close();
  second.close();
});

dbTest('a runner comes back to another node when its own has gone', async () => {
  const other = await startTeamNode({ databaseUrl: node.databaseUrl });
  // One address in front of both, as a proxy is.
  const front = { url: node.url };
  states.length = 0;
  link = openLink();
  await waitUntil(() => states.at(-1) === 'connected');
  link.close();
  states.length = 0;
  link = new CloudLink({
    ...linkOptions('', token, own.listener, { onConnection: (state) => void states.push(state) }),
    get url() {
      return front.url;
    },
  });
  await waitUntil(() => states.at(-1) === 'connected');
  front.url = other.url;
  await node.stop();
  await waitUntil(async () => (await catchCode(ask({}, other))) === 'answered');
  const reply = await other.ask('/teams/acme/runners', { headers: asUser('vic') });
  assert.is((await reply.json()).runners.length, 1);
  link.close();
  await other.stop();
  await own.close();
});

test.run();
