import { setMaxListeners } from 'node:events';
import { request as sendHttp } from 'node:http';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLOSE_CODES } from '../../../src/contract/channel/closeCodes.ts';
import { MAX_OPEN_REQUESTS } from '../../../src/contract/channel/limits.ts';
import type { RunnerReply, RunnerRequest } from '../../../src/cloud/runners/runnerDirectory.ts';
import { CloudLink } from '../../../src/cloudLink/cloudLink.ts';
import { connectDouble, toJsonReply, toRow } from '../../support/cloud/doubleRunner.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import {
  asUser,
  BareRunner,
  linkOptions,
  openOwnServer,
  pairHome,
  waitUntil,
  startTeamNode,
} from '../../support/cloud/testTeam.ts';
import { inLongLane } from '../../support/longLane.ts';

const test = suite('cloud: attacks through the channel');
const dbTest = defineDatabaseTests(test);

let node: TestControlPlane;
let homes = 0;

/** A connected runner of a team. */
async function connectBare(team = 'acme', userId = 'ada') {
  homes += 1;
  const homeId = `home${homes}`;
  const { body } = await pairHome(node, { team, userId, homeId, name: homeId });
  const runner = new BareRunner(node, body.token);
  await runner.hello({ homeId, name: homeId, accept: 'team' });
  return { runner, homeId, runnerId: String(body.runnerId), token: String(body.token) };
}

const ask = (runnerId: string, more: Partial<RunnerRequest> = {}): Promise<RunnerReply> =>
  node.runners.ask(runnerId, {
    method: 'GET',
    path: '/jobs',
    headers: {},
    body: null,
    person: null,
    signal: new AbortController().signal,
    ...more,
  });

const readCode = (error: unknown): unknown => Object(error).code;

const askTeam = (path: string, init: RequestInit = {}, userId = 'ada') =>
  node.ask(path, { ...init, headers: { ...asUser(userId), ...init.headers } });

dbTest('a node for the tests of this file', async () => {
  node = await startTeamNode();
});

dbTest('a reply that begins twice closes the socket, and its reader learns of it', async () => {
  const { runner, runnerId } = await connectBare();
  const request = ask(runnerId);
  const { id } = await runner.find('request');
  runner.send({ type: 'response', id, status: 200, headers: {} });
  const { body } = await request;
  runner.send({ type: 'response', id, status: 200, headers: {} });
  assert.is((await runner.closed).code, CLOSE_CODES.protocol);
  const read = (async () => {
    for await (const _ of body);
  })();
  assert.is(await read.catch(readCode), 'runner-away');
});

dbTest('a part before the head of its reply closes the socket', async () => {
  const { runner, runnerId } = await connectBare();
  const request = ask(runnerId).catch(readCode);
  const { id } = await runner.find('request');
  runner.send({ type: 'part', id, end: true });
  assert.is((await runner.closed).code, CLOSE_CODES.protocol);
  assert.is(await request, 'runner-away');
});

dbTest('frames for a reply that has ended, or that no one waits for, change nothing', async () => {
  const { runner, runnerId } = await connectBare();
  const request = ask(runnerId);
  const { id } = await runner.find('request');
  runner.send({ type: 'response', id, status: 200, headers: {} });
  runner.send({ type: 'part', id, end: true });
  assert.is((await request).status, 200);
  for (const other of [id, 'zzz']) {
    runner.send({ type: 'part', id: other, end: true });
    runner.send({ type: 'response', id: other, status: 500, headers: {} });
    runner.send({ type: 'cancel', id: other });
  }
  runner.send({ type: 'beat', n: 77 });
  await waitUntil(() => runner.frames.some((frame) => frame.type === 'beat' && frame.n === 77));
  runner.socket.close();
});

dbTest('a runner that leaves more than 4 MiB unread is disconnected', async () => {
  const { runner, runnerId } = await connectBare();
  runner.socket.pause();
  const path = `/jobs?q=${'x'.repeat(16_000)}`;
  // Beside what the two kernels' buffers hold.
  const requests = Array.from({ length: 1_500 }, () => ask(runnerId, { path }).catch(readCode));
  const codes = new Set(await Promise.all(requests));
  assert.equal([...codes], ['runner-away']);
  await waitUntil(async () => {
    const reply = await (await askTeam('/teams/acme/runners?all=1')).json();
    return reply.runners.find(({ id }: { id: string }) => id === runnerId).connected === false;
  });
  runner.socket.terminate();
});

dbTest('a runner of a deleted team is disconnected within 5 s, and its token is none', async () => {
  const reply = await askTeam('/teams', { method: 'POST', body: '{"name":"Gone"}' });
  const { id: team } = await reply.json();
  const { runner, token } = await connectBare(team);
  const began = Date.now();
  const removed = await askTeam(`/teams/${team}?name=Gone`, { method: 'DELETE' });
  assert.is(removed.status, 204);
  assert.is((await runner.closed).code, CLOSE_CODES.revoked);
  assert.ok(Date.now() - began < 5_000);
  assert.is((await new BareRunner(node, token).refused).status, 401);
});

dbTest('the token of another team reaches nothing of this one', async () => {
  const foreign = await connectDouble(node, {
    team: 'other',
    userId: 'eve',
    homeId: 'foreign',
    hello: { name: 'foreign' },
  });
  const own = await connectDouble(node, { homeId: 'own', hello: { name: 'own' } });
  own.runner.sendJobs([toRow('same', { description: 'ours' })]);
  await waitUntil(async () => (await askTeam('/teams/acme/jobs/same')).status === 200);
  // A job of the same id, and a list that says that there are no others.
  foreign.runner.sendJobs([toRow('same', { description: 'theirs' })], {
    after: null,
    before: null,
  });
  await waitUntil(async () => (await askTeam('/teams/other/jobs', {}, 'eve')).status === 200);
  await waitUntil(async () => {
    const rows = await (await askTeam('/teams/other/jobs', {}, 'eve')).json();
    return rows.length === 1;
  });
  const rows = await (await askTeam('/teams/acme/jobs')).json();
  assert.equal(
    rows.map(({ id, description }: { id: string; description: string }) => [id, description]),
    [['same', 'ours']],
  );
  const reply = await askTeam('/teams/acme/jobs/same');
  assert.is(reply.headers.get('x-svc-runner'), own.runnerId);
  for (const path of [
    `/jobs/same?runner=${foreign.runnerId}`,
    '/jobs/same?runner=foreign',
    `/jobs?runner=${foreign.runnerId}`,
  ])
    assert.is((await askTeam(`/teams/acme${path}`)).status, 404, path);
  assert.is(
    (await askTeam(`/teams/acme/runners/${foreign.runnerId}`, { method: 'DELETE' })).status,
    404,
  );
  assert.is(foreign.runner.requests.length, 0);
  foreign.runner.close();
  own.runner.close();
});

/** What the port answers to these bytes; '' = it closes. */
const sendRaw = (head: string): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(node.url);
    let reply = '';
    const socket = connect(Number(port), hostname, () => socket.write(head));
    socket.on('data', (bytes) => {
      reply += bytes;
      socket.end();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(reply));
  });

dbTest('CONNECT and TRACE reach neither a runner nor another machine', async () => {
  const { runner } = await connectBare();
  const rest = 'Host: localhost\r\nX-Test-User: ada\r\n\r\n';
  assert.is(await sendRaw(`CONNECT 127.0.0.1:22 HTTP/1.1\r\n${rest}`), '');
  const traced = await sendRaw(`TRACE /teams/acme/jobs/x?runner=home1 HTTP/1.1\r\n${rest}`);
  assert.match(traced, /^HTTP\/1\.1 405 /);
  assert.is(runner.frames.filter(({ type }) => type === 'request').length, 0);
  runner.socket.close();
});

dbTest('a body that its sender cuts in the middle never reaches the runner', async () => {
  const { runner, runnerId } = await connectBare();
  const { hostname, port } = new URL(node.url);
  const cut = sendHttp({
    hostname,
    port,
    method: 'POST',
    path: `/teams/acme/jobs/x/message?runner=${runnerId}`,
    headers: { ...asUser('ada'), 'content-length': '100' },
  });
  const failure = new Promise<void>((resolve) => cut.once('error', () => resolve()));
  cut.write('{"message":');
  await new Promise((resolve) => cut.once('socket', (socket) => socket.once('connect', resolve)));
  cut.destroy(new Error('cut'));
  await failure;
  const whole = askTeam(`/teams/acme/jobs/x?runner=${runnerId}`).catch(() => null);
  assert.is((await runner.find('request')).path, '/jobs/x');
  assert.is(runner.frames.filter(({ type }) => type === 'request').length, 1);
  runner.socket.close();
  await whole;
});

dbTest("a runner's own 401 does not say that the person is not logged in", async () => {
  const { runner } = await connectDouble(node, {
    homeId: 'denying',
    hello: { name: 'denying' },
    answer: () => toJsonReply(401, { code: 'unauthorized' }),
  });
  const reply = await askTeam('/teams/acme/jobs/x?runner=denying');
  assert.is(reply.status, 503);
  const { code, detail } = await reply.json();
  assert.is(code, 'runner-away');
  assert.match(detail, 'denying');
  runner.close();
});

const STREAMS = inLongLane ? 10_000 : 1_000;

dbTest(`of ${STREAMS} streams at once a runner carries its limit, and answers on`, async () => {
  const open = new Set<object>();
  const own = await openOwnServer((req, res) => {
    if (req.url !== '/stream') return void res.end('{}');
    open.add(res);
    res.once('close', () => open.delete(res));
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(': begin\n\n');
  });
  const { body } = await pairHome(node, { homeId: 'streams', name: 'streams' });
  const states: string[] = [];
  const link = new CloudLink({
    ...linkOptions(node.url, body.token, own.listener, { homeId: 'streams' }),
    onConnection: (state) => void states.push(state),
  });
  await waitUntil(() => states.at(-1) === 'connected');
  const leaving = new AbortController();
  setMaxListeners(0, leaving.signal);
  const toPerson = (n: number) => ({ userId: `m${n % 100}`, name: 'M', role: 'viewer' }) as const;
  const requests = Array.from({ length: STREAMS }, (_, n) =>
    ask(body.runnerId, { path: '/stream', signal: leaving.signal, person: toPerson(n) }),
  );
  const replies = await Promise.all(requests);
  const carried = replies.filter(({ status }) => status === 200);
  assert.is(carried.length, MAX_OPEN_REQUESTS);
  assert.is(replies.filter(({ status }) => status === 503).length, STREAMS - MAX_OPEN_REQUESTS);
  leaving.abort();
  await waitUntil(() => open.size === 0);
  assert.is((await ask(body.runnerId)).status, 200);
  assert.equal([...new Set(states)], ['connecting', 'connected']);
  link.close();
  await own.close();
});

dbTest('the node of the tests of this file ends', () => node.stop());

test.run();
