import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLOSE_CODES } from '../../../src/contract/channel/closeCodes.ts';
import { MAX_PART_BYTES } from '../../../src/contract/channel/limits.ts';
import { createRunnerToken } from '../../../src/cloud/runners/runnerTokens.ts';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { briskClock } from '../../support/cloud/briskClock.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import {
  asUser,
  BareRunner,
  HELLO,
  pairHome,
  waitUntil,
  startTeamNode,
} from '../../support/cloud/testTeam.ts';

const test = suite('cloud: sockets of runners');
const dbTest = defineDatabaseTests(test);

let node: TestControlPlane;
let homes = 0;

/** A runner that has just been paired. */
async function aRunner(userId = 'ada') {
  homes += 1;
  const homeId = `home${homes}`;
  const { body } = await pairHome(node, { userId, homeId, name: homeId });
  const runner = new BareRunner(node, body.token);
  return { runner, homeId, runnerId: body.runnerId as string, token: body.token as string };
}

const listRunners = async (query = '') =>
  (await (await node.ask(`/teams/acme/runners${query}`, { headers: asUser('vic') })).json())
    .runners;

const findRunner = async (id: string, query = '?all=1') =>
  (await listRunners(query)).find((one: { id: string }) => one.id === id);

const raw = (head: string, length?: number): Uint8Array => {
  const text = new TextEncoder().encode(head);
  const bytes = new Uint8Array(4 + text.length);
  new DataView(bytes.buffer).setUint32(0, length ?? text.length);
  bytes.set(text, 4);
  return bytes;
};

dbTest('a node for the tests of this file', async () => {
  node = await startTeamNode({ clock: briskClock });
});

dbTest('a hello is answered, and the runner is listed as it says (RUN-2)', async () => {
  const { runner, homeId, runnerId } = await aRunner();
  const {
    team,
    runner: named,
    beatMs,
    lostMs,
    jobs,
  } = await runner.hello({ homeId, labels: ['gpu'] });
  assert.equal(
    { team, named, beatMs, lostMs, jobs },
    {
      team: { id: 'acme', slug: 'acme', name: 'acme' },
      named: { id: runnerId, name: 'mac', ownerId: 'ada' },
      beatMs: 10_000,
      lostMs: 60_000,
      jobs: null,
    },
  );
  const { connected, labels, accept, slots, owner, awaySince } = await findRunner(runnerId, '');
  assert.equal(
    { connected, labels, accept, slots, owner, awaySince },
    {
      connected: true,
      labels: ['gpu'],
      accept: 'own',
      slots: 2,
      owner: { userId: 'ada', name: 'ada' },
      awaySince: null,
    },
  );
  runner.socket.close();
  await waitUntil(async () => !(await findRunner(runnerId)).connected);
  assert.is(await findRunner(runnerId, ''), undefined);
  assert.type((await findRunner(runnerId)).awaySince, 'string');
});

dbTest('beats are answered, and free slots shown', async () => {
  const { runner, homeId, runnerId } = await aRunner();
  await runner.hello({ homeId });
  runner.send({ type: 'beat', n: 7, free: 1, slots: 3, state: 'draining' });
  assert.is((await runner.find('beat')).n, 7);
  await waitUntil(async () => (await findRunner(runnerId)).free === 1);
  const { slots, state } = await findRunner(runnerId);
  assert.equal({ slots, state }, { slots: 3, state: 'draining' });
  runner.socket.close();
});

dbTest('tokens that are none, of no one, and revoked ones are refused', async () => {
  const statuses: number[] = [];
  const { token, runnerId } = await aRunner('ben');
  await node.ask(`/teams/acme/runners/${runnerId}`, {
    method: 'DELETE',
    headers: { 'x-test-user': 'ben' },
  });
  for (const one of ['', 'x', createRunnerToken('r', randomIds), token])
    statuses.push((await new BareRunner(node, one).refused).status);
  assert.equal(statuses, [401, 401, 401, 401]);
});

dbTest('the socket of a revoked runner is closed within 5 s', async () => {
  const { runner, homeId, runnerId } = await aRunner();
  await runner.hello({ homeId });
  const began = Date.now();
  await node.ask(`/teams/acme/runners/${runnerId}`, {
    method: 'DELETE',
    headers: { 'x-test-user': 'adm' },
  });
  assert.is((await runner.closed).code, CLOSE_CODES.revoked);
  assert.ok(Date.now() - began < 5_000);
});

dbTest('of two processes with one token the second replaces the first', async () => {
  const { runner, homeId, runnerId, token } = await aRunner();
  await runner.hello({ homeId, instance: 'one' });
  const second = new BareRunner(node, token);
  await second.hello({ homeId, instance: 'two' });
  assert.is((await runner.closed).code, CLOSE_CODES.replaced);
  assert.is((await findRunner(runnerId)).connected, true);
  second.socket.close();
});

dbTest('the same process that connects again does not count as replaced', async () => {
  const { runner, homeId, token } = await aRunner();
  await runner.hello({ homeId, instance: 'one' });
  const second = new BareRunner(node, token);
  await second.hello({ homeId, instance: 'one' });
  runner.send({ type: 'beat', n: 1 });
  assert.is((await runner.find('beat')).n, 1);
  runner.socket.close();
  second.socket.close();
});

dbTest('another home with the token of one that is connected is refused', async () => {
  const { runner, homeId, token } = await aRunner();
  await runner.hello({ homeId });
  const copy = new BareRunner(node, token);
  await copy.open();
  copy.send({ ...HELLO, homeId: 'elsewhere' });
  assert.is((await copy.closed).code, CLOSE_CODES.revoked);
  runner.socket.close();
});

dbTest('a runner that is too old gets the version to install', async () => {
  const { runner, homeId } = await aRunner();
  await runner.open();
  runner.send(raw(JSON.stringify({ ...HELLO, v: 0, homeId, protocol: 0 })));
  const { code, reason } = await runner.closed;
  assert.is(code, CLOSE_CODES.version);
  assert.match(reason, 'Install svc 0.0.0-test or newer');
});

const BAD: Readonly<Record<string, Uint8Array>> = {
  garbage: new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]),
  'a length of 100 MB': raw('{}', 100 * 1024 * 1024),
  'an unknown type that must be understood': raw('{"v":1,"type":"later","must":true}'),
  'a reply before the hello': raw('{"v":1,"type":"response","id":"1","status":200,"headers":{}}'),
  'a frame of the other side': raw('{"v":1,"type":"drain","delayMs":1}'),
};

for (const [name, bytes] of Object.entries(BAD)) {
  dbTest(`closes the socket: ${name}`, async () => {
    const { runner } = await aRunner();
    await runner.open();
    runner.send(bytes);
    assert.is((await runner.closed).code, CLOSE_CODES.protocol);
  });
}

dbTest('a second hello closes the socket, an unknown type does not', async () => {
  const { runner, homeId } = await aRunner();
  await runner.hello({ homeId });
  runner.send(raw('{"v":1,"type":"later"}'));
  runner.send({ type: 'beat', n: 1 });
  await runner.find('beat');
  runner.send({ ...HELLO, homeId });
  assert.is((await runner.closed).code, CLOSE_CODES.protocol);
});

dbTest('a message of more than the longest frame closes the socket', async () => {
  const { runner, homeId } = await aRunner();
  await runner.hello({ homeId });
  runner.socket.send(new Uint8Array(300 * 1024));
  assert.is((await runner.closed).code, 1009);
});

const request = (signal = new AbortController().signal) => ({
  method: 'GET',
  path: '/jobs',
  headers: {},
  body: null,
  person: null,
  signal,
});

dbTest('parts without credits close the socket, and end the request', async () => {
  const { runner, homeId, runnerId } = await aRunner();
  await runner.hello({ homeId });
  const answer = node.runners.ask(runnerId, request());
  const { id } = await runner.find('request');
  runner.send({ type: 'response', id, status: 200, headers: {} });
  const reply = await answer;
  for (let n = 0; n < 40; n += 1)
    runner.send({ type: 'part', id, body: new Uint8Array(MAX_PART_BYTES) });
  assert.is((await runner.closed).code, CLOSE_CODES.protocol);
  const code = await (async () => {
    for await (const _ of reply.body);
  })().catch((error) => Object(error).code);
  assert.is(code, 'runner-away');
});

dbTest('a runner that leaves ends what was asked of it', async () => {
  const { runner, homeId, runnerId } = await aRunner();
  await runner.hello({ homeId });
  const answer = node.runners.ask(runnerId, request()).catch((error) => Object(error).code);
  await runner.find('request');
  runner.socket.terminate();
  assert.is(await answer, 'runner-away');
  assert.is(
    await node.runners.ask(runnerId, request()).catch((error) => Object(error).code),
    'runner-away',
  );
});

dbTest('a reader that leaves cancels the request', async () => {
  const { runner, homeId, runnerId } = await aRunner();
  await runner.hello({ homeId });
  const leaving = new AbortController();
  const answer = node.runners.ask(runnerId, request(leaving.signal)).catch(() => 'left');
  const { id } = await runner.find('request');
  leaving.abort();
  assert.is((await runner.find('cancel')).id, id);
  assert.is(await answer, 'left');
  runner.socket.close();
});

dbTest('rows are given on in order, acknowledged, and their place is kept', async () => {
  const { runner, homeId, runnerId, token } = await aRunner();
  const batches: unknown[] = [];
  let broken = true;
  node.runners.onJobs(async (jobs) => {
    if (jobs.runnerId !== runnerId) return;
    if (broken) throw new Error('the database is away');
    batches.push([jobs.rows.map(({ row: { id } }) => id), jobs.range ?? null]);
  });
  const row = (id: string) => ({
    id,
    type: 'job',
    status: 'queued',
    description: 'x',
    repoSlug: null,
    parentJobId: null,
    needs: null,
    createdAt: '2026-11-29T00:00:00.000Z',
    updatedAt: '2026-11-29T00:00:00.000Z',
  });
  const body = new TextEncoder().encode(JSON.stringify([row('a'), { id: 'no row' }, row('b')]));
  await runner.hello({ homeId });
  runner.send({ type: 'jobs', source: 's', n: 1, mark: 'm1', body });
  assert.is((await runner.closed).code, 1013);
  broken = false;
  const again = new BareRunner(node, token);
  assert.is((await again.hello({ homeId })).jobs, null);
  again.send({ type: 'jobs', source: 's', n: 1, mark: 'm1', body });
  const range = { after: null, before: '2026-11-29T00:00:00.000Z' };
  again.send({ type: 'jobs', source: 's', n: 2, mark: 'm2', range, body });
  await waitUntil(() => again.frames.filter(({ type }) => type === 'acknowledged').length === 2);
  assert.equal(batches, [
    [['a', 'b'], null],
    [['a', 'b'], range],
  ]);
  again.socket.close();
  const third = new BareRunner(node, token);
  assert.equal((await third.hello({ homeId })).jobs, { source: 's', n: 2, mark: 'm2' });
  third.socket.close();
});

dbTest('handshakes beyond 200 a second get 503 and a time to wait', async () => {
  // Its clock has stopped until they are refused: no second passes. Its timers run on, and so does its stop.
  const began = systemClock.now();
  let isStill = true;
  const now = () => (isStill ? began : systemClock.now());
  const still = await startTeamNode({
    clock: { now, at: (due, run) => systemClock.at(systemClock.now() + due - now(), run) },
  });
  const sockets = Array.from({ length: 230 }, () => new BareRunner(still, 'x'));
  const refusals = await Promise.all(sockets.map(({ refused }) => refused));
  const late = refusals.filter(({ status }) => status === 503);
  assert.is(late.length, 30);
  assert.ok(late.every(({ retryAfter }) => retryAfter === '1'));
  isStill = false;
  await still.stop();
});

dbTest('a stop sends runners elsewhere and ends', async () => {
  const { runner, homeId } = await aRunner();
  await runner.hello({ homeId });
  const stopped = node.stop();
  assert.is((await runner.find('drain')).delayMs, 0);
  assert.is((await runner.closed).code, 1001);
  await stopped;
});

test.run();
