import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectDouble, type DoubleRunner, toRow } from '../../support/cloud/doubleRunner.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { readEvents } from '../../support/cloud/readEvents.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { asUser, waitUntil, startTeamNode } from '../../support/cloud/testTeam.ts';

const test = suite("cloud: the list of a team's jobs");
const dbTest = defineDatabaseTests(test);

let node: TestControlPlane;
let other: TestControlPlane;
let one: { runner: DoubleRunner; runnerId: string };
let two: { runner: DoubleRunner; runnerId: string };

const get = (path: string, from = node, userId = 'vic') =>
  from.ask(`/teams/acme${path}`, { headers: asUser(userId) });

async function list(query = '', from = node) {
  const reply = await get(`/jobs${query}`, from);
  const rows = await reply.json();
  return {
    status: reply.status,
    total: reply.headers.get('X-Total-Count'),
    link: reply.headers.get('Link'),
    rows,
    ids: Array.isArray(rows) ? rows.map(({ id }) => id) : [],
  };
}

dbTest('two nodes with a runner each', async () => {
  node = await startTeamNode();
  other = await startTeamNode({ databaseUrl: node.databaseUrl });
  one = await connectDouble(node, { homeId: 'h1', hello: { name: 'mac-ada' } });
  two = await connectDouble(other, { homeId: 'h2', hello: { name: 'mac-ben' }, userId: 'ben' });
});

dbTest('rows of all runners are listed on each node, newest first (CLD-5)', async () => {
  one.runner.sendJobs([
    toRow('a', { createdAt: '2026-11-01T00:00:00.000Z', status: 'coding:2' }),
    toRow('b', { createdAt: '2026-11-03T00:00:00.000Z', type: 'review', repoSlug: 'Café' }),
  ]);
  two.runner.sendJobs([
    toRow('c', { createdAt: '2026-11-02T00:00:00.000Z', parentJobId: 'p', description: '50% off' }),
  ]);
  await waitUntil(async () => (await list('', other)).ids.length === 3);
  const { ids, total, rows } = await list();
  assert.equal(ids, ['b', 'c', 'a']);
  assert.is(total, '3');
  assert.equal(rows[0].runner, { id: one.runnerId, name: 'mac-ada', awaySince: null });
});

const FILTERS: readonly [query: string, ids: string[]][] = [
  ['?status=coding', ['a']],
  ['?status=coding:2', ['a']],
  ['?type=review', ['b']],
  ['?parentJobId=p', ['c']],
  ['?campaignParentId=p', ['c']],
  ['?q=CAFE', ['b']],
  ['?q=shop%20CODING', ['a']],
  ['?q=50%25', ['c']],
  ['?q=_', []],
  ['?repo=shop', ['c', 'a']],
  ['?workflow=workflows/job.md&type=review', ['b']],
  ['?subRuns=needing', ['b', 'a']],
  ['?limit=1', ['b']],
  ['?limit=1&offset=2', ['a']],
];

dbTest('the list of a team is filtered, in PostgreSQL', async () => {
  for (const [query, ids] of FILTERS) assert.equal((await list(query)).ids, ids, query);
});

dbTest('pages are linked as those of a runner', async () => {
  assert.is(
    (await list('?limit=1&offset=1')).link,
    '</teams/acme/jobs?limit=1&offset=2>; rel="next", </teams/acme/jobs?limit=1&offset=0>; rel="prev"',
  );
});

dbTest('other filters are refused, unless a runner is named', async () => {
  const { status, rows } = await list('?coordinates=true&sort=since');
  assert.is(status, 400);
  assert.equal(
    rows.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['?coordinates', '?sort'],
  );
  await get(`/jobs?needs=me&runner=mac-ben`);
  assert.is(two.runner.requests.at(-1)?.path, '/jobs?needs=me');
  assert.is((await list('?runner=nosuch')).status, 404);
});

dbTest('a change is in the stream of each node within a second, as one event (CLD-5)', async () => {
  const events = await readEvents(other, '/teams/acme/jobs/stream', { headers: asUser('vic') });
  const began = Date.now();
  one.runner.sendJobs([toRow('a', { status: 'done', createdAt: '2026-11-01T00:00:00.000Z' })]);
  const event = await events.next('job');
  assert.ok(Date.now() - began < 1_000, `${Date.now() - began} ms`);
  const { id, status, runner } = JSON.parse(event.data);
  assert.equal([id, status, runner.name], ['a', 'done', 'mac-ada']);
  await events.close();

  // What changes while no one reads comes after Last-Event-ID, on another node.
  two.runner.sendJobs([toRow('d'), toRow('e')]);
  await waitUntil(async () => (await list()).ids.length === 5);
  const resumed = await readEvents(node, '/teams/acme/jobs/stream', {
    headers: { ...asUser('vic'), 'Last-Event-ID': event.id },
  });
  const ids = [await resumed.next('job'), await resumed.next('job')].map(
    ({ data }) => JSON.parse(data).id,
  );
  assert.equal(ids, ['d', 'e']);
  await resumed.close();
});

dbTest('a row that is sent again without a change has no event', async () => {
  const events = await readEvents(node, '/teams/acme/jobs/stream', { headers: asUser('vic') });
  two.runner.sendJobs([toRow('d')]);
  two.runner.sendJobs([toRow('e', { status: 'coding' })]);
  assert.is(JSON.parse((await events.next('job')).data).id, 'e');
  await events.close();
});

dbTest('the inbox has the jobs that need a person, the longest wait first', async () => {
  const needs = { group: 'decide', ask: 'approve' };
  one.runner.sendJobs([
    toRow('late', { needs, since: '2026-11-05T00:00:00.000Z' }),
    toRow('early', { needs, since: '2026-11-04T00:00:00.000Z' }),
  ]);
  const read = async () => (await get('/inbox')).json();
  await waitUntil(async () => (await read()).length === 2);
  assert.equal(
    (await read()).map(({ id }: { id: string }) => id),
    ['early', 'late'],
  );
});

dbTest('rows of a range that no longer exist are removed', async () => {
  one.runner.sendJobs([toRow('a', { createdAt: '2026-11-01T00:00:00.000Z' })], {
    after: null,
    before: '2026-11-04T00:00:00.000Z',
  });
  await waitUntil(async () => !(await list()).ids.includes('b'));
  const { ids } = await list();
  assert.ok(ids.includes('a') && ids.includes('c') && ids.includes('late'));
});

dbTest('half a character in a row does not keep its neighbours out', async () => {
  one.runner.sendJobs([toRow('half', { description: 'x\ud800y' }), toRow('whole')]);
  await waitUntil(async () => (await list('?q=whole')).ids.length === 1);
  assert.is((await list('?q=half')).rows[0].description, 'x\ufffdy');
});

dbTest('a NUL in a row is shown as an unreadable character, its spelling as it is', async () => {
  one.runner.sendJobs([
    toRow('nul', { description: 'x\0y' }),
    toRow('spelled', { description: 'Remove \\u0000 from the input' }),
  ]);
  await waitUntil(async () => (await list('?q=spelled')).ids.length === 1);
  assert.is((await list('?q=nul')).rows[0].description, 'x\ufffdy');
  assert.is((await list('?q=spelled')).rows[0].description, 'Remove \\u0000 from the input');
});

dbTest('a row that cannot be stored does not keep its neighbours out', async () => {
  one.runner.sendJobs([
    toRow('no-day', { createdAt: '2026-13-45T00:00:00.000Z' }),
    toRow('no-name', { 'x\0': 1 }),
    toRow('half-name', { parked: { 'x\ud800': 1 } }),
    toRow('neighbour'),
  ]);
  await waitUntil(async () => (await list('?q=neighbour')).ids.length === 1);
  for (const id of ['no-day', 'no-name', 'half-name'])
    assert.equal((await list(`?q=${id}`)).ids, [], id);
});

dbTest('the numbers of a named runner are those that it counts itself', async () => {
  const counts = await (await get('/jobs/counts')).json();
  assert.is(counts.total, Number((await list()).total));
  await get('/jobs/counts?sum=cost&runner=mac-ben');
  assert.is(two.runner.requests.at(-1)?.path, '/jobs/counts?sum=cost');
});

dbTest('the rows of a runner that is away stay, and say since when it is', async () => {
  two.runner.close();
  const find = async () => (await list('?q=50%25')).rows[0];
  await waitUntil(async () => (await find()).runner.awaySince !== null);
  const { name, awaySince } = (await find()).runner;
  assert.is(name, 'mac-ben');
  assert.ok(Math.abs(Date.parse(awaySince) - Date.now()) < 60_000);
});

dbTest('another team sees nothing of it', async () => {
  assert.is((await node.ask('/teams/acme/jobs', { headers: asUser('eve') })).status, 404);
  const reply = await node.ask('/teams/other/jobs', { headers: asUser('eve') });
  assert.equal(await reply.json(), []);
});

dbTest('a stream ends with the node, with a bye', async () => {
  const events = await readEvents(node, '/teams/acme/jobs/stream', { headers: asUser('vic') });
  const stopped = node.stop();
  assert.equal(JSON.parse((await events.next('bye')).data), { reason: 'stopping' });
  await stopped;
  await other.stop();
});

test.run();
