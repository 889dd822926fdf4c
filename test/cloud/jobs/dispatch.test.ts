import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  connectDouble,
  type DoubleOptions,
  DoubleHome,
  DoubleRunner,
  toJsonReply,
  toProblemReply,
} from '../../support/cloud/doubleRunner.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import type { Database } from '../../../src/cloud/database/database.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { briskClock } from '../../support/cloud/briskClock.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { createShiftedClock } from '../../support/cloud/shiftedClock.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { asUser, waitUntil, startTeamNode } from '../../support/cloud/testTeam.ts';

const test = suite('cloud: dispatches');
const dbTest = defineDatabaseTests(test);

const clock = createShiftedClock(briskClock);
let node: TestControlPlane;
let database: Database;
let homes = 0;
const open: DoubleRunner[] = [];

async function aRunner(options: Partial<DoubleOptions> & { userId?: string } = {}) {
  homes += 1;
  const name = options.hello?.name ?? `mac${homes}`;
  const double = await connectDouble(node, {
    homeId: `home${homes}`,
    ...options,
    hello: { name, ...options.hello },
  });
  open.push(double.runner);
  await waitUntil(async () => {
    const [row] =
      await database.sql`select beat from runner_sessions where runner_id = ${double.runnerId}`;
    return row?.beat.free === (options.free ?? 2);
  });
  return double;
}

/** Runners of the test before are away, and paired no more. */
async function clear() {
  for (const runner of open.splice(0)) runner.close();
  await database.sql`delete from dispatches`;
  await database.sql`delete from runners`;
}

const BODY = {
  type: 'job',
  workflowPath: 'workflows/job.md',
  params: { repoSlug: 'shop', description: 'Greet the reader' },
};

const post = async (more: object = {}, { userId = 'ada', key = '', path = '/jobs' } = {}) => {
  const reply = await node.ask(`/teams/acme${path}`, {
    method: 'POST',
    headers: { ...asUser(userId), ...(key === '' ? {} : { 'Idempotency-Key': key }) },
    body: JSON.stringify({ ...BODY, ...more }),
  });
  return { status: reply.status, body: await reply.json() };
};

const act = async (id: string, action: string, userId = 'ada') => {
  const reply = await node.ask(`/teams/acme/dispatches/${id}/${action}`, {
    method: 'POST',
    headers: asUser(userId),
    body: '{}',
  });
  return { status: reply.status, body: await reply.json() };
};

const listDispatches = async (query = '') =>
  (await node.ask(`/teams/acme/dispatches${query}`, { headers: asUser('vic') })).json();

const findDispatch = async (id: string) =>
  (await node.ask(`/teams/acme/dispatches/${id}`, { headers: asUser('vic') })).json();

/** Creates one and does not wait for its answer. */
async function dispatch(more: object = {}, userId = 'ada'): Promise<string> {
  const before = (await listDispatches('?limit=1'))[0]?.id;
  void post(more, { userId }).catch(() => undefined);
  await waitUntil(async () => (await listDispatches('?limit=1'))[0]?.id !== before);
  return (await listDispatches('?limit=1'))[0].id;
}

const waitForReason = async (id: string, reason: string) => {
  await waitUntil(async () => (await findDispatch(id)).reason === reason);
  return findDispatch(id);
};

dbTest('a node for the tests of this file', async () => {
  node = await startTeamNode({ clock });
  database = await openDatabase(node.databaseUrl, { log: silentLog, max: 2 });
});

dbTest('a free runner makes the job at once, in the name of the person (CLD-5)', async () => {
  const { runner, runnerId } = await aRunner();
  const { status, body } = await post();
  assert.is(status, 201);
  const { jobId, streamUrl, runner: by, dispatchId } = body;
  assert.equal(by, { id: runnerId, name: 'mac1' });
  assert.is(streamUrl, `/teams/acme/jobs/${jobId}/stream`);
  const [request] = runner.requests;
  assert.equal(JSON.parse(request?.body ?? ''), BODY);
  assert.equal(request?.person, { userId: 'ada', name: 'ada', role: 'owner' });
  assert.is(request?.headers['idempotency-key'], dispatchId);
  const { state, jobId: placedJobId } = await findDispatch(dispatchId);
  assert.equal([state, placedJobId], ['placed', jobId]);
  await clear();
});

dbTest('a viewer may not dispatch', async () => {
  assert.is((await post({}, { userId: 'vic' })).status, 403);
});

dbTest('the same key is the same dispatch, of one person', async () => {
  const { runner } = await aRunner({ free: 5 });
  const first = await post({}, { key: 'k' });
  assert.equal(await post({}, { key: 'k' }), first);
  assert.is((await post({ type: 'review' }, { key: 'k' })).status, 422);
  assert.is(runner.home.made.size, 1);
  const other = await post({}, { key: 'k', userId: 'ben' });
  assert.is.not(other.body.dispatchId, first.body.dispatchId);
  await clear();
});

dbTest('a text that cannot be stored is refused', async () => {
  for (const description of ['a\0b', 'a\ud800b'])
    assert.is((await post({ params: { description } })).status, 422);
  assert.is((await post({ params: { 'a\0b': 1 } })).status, 422);
});

dbTest('without an answer in 10 s it gets the dispatch, with why it waits', async () => {
  const began = clock.now();
  let isAnswered = false;
  const answer = post().finally(() => {
    isAnswered = true;
  });
  await waitUntil(async () => (await listDispatches()).length === 1);
  assert.is(isAnswered, false);
  clock.shift(10_000);
  const { status, body } = await answer;
  assert.is(status, 202);
  assert.equal([body.state, body.reason], ['waiting', 'no-runner']);
  assert.ok(clock.now() - began < 12_000);
  clock.reset();
  await clear();
});

dbTest('each wait has a reason, which keeps its time until it changes', async () => {
  const gpu = await dispatch({ labels: ['gpu'] });
  assert.is((await findDispatch(gpu)).reason, 'no-runner');
  const own = await aRunner({ userId: 'ben', hello: { accept: 'own' } });
  const { since } = await waitForReason(gpu, 'not-accepted');
  const { runner } = await aRunner({ free: 0 });
  await waitForReason(gpu, 'no-label:gpu');
  const forge = await dispatch({ params: { gitProvider: 'gitlab' } });
  await waitForReason(forge, 'no-forge:gitlab');
  const slot = await dispatch();
  const waits = await waitForReason(slot, 'no-slot');
  assert.ok(since < waits.since);
  const unknownRunner = await dispatch({ runner: 'nosuch' });
  await waitForReason(unknownRunner, 'no-runner');
  await database.sql`update runners set protocol = 0`;
  await waitForReason(slot, 'runner-too-old');
  await database.sql`update runners set protocol = 1`;
  runner.beat({ free: 1 });
  await waitUntil(async () => (await findDispatch(slot)).state === 'placed');
  assert.is(own.runner.requests.length, 0);
  assert.equal(
    (await listDispatches('?state=waiting')).map(({ id }: { id: string }) => id),
    [unknownRunner, forge, gpu],
  );
  await aRunner({ hello: { labels: ['gpu', 'linux'], name: 'gpu' } });
  await waitUntil(async () => (await findDispatch(gpu)).state === 'placed');
  assert.is((await findDispatch(gpu)).runner.name, 'gpu');
  await clear();
});

dbTest('a runner that accepts only its own takes its owner’s', async () => {
  const { runnerId } = await aRunner({ userId: 'ben', hello: { accept: 'own' } });
  assert.is((await post({}, { userId: 'ben' })).body.runner.id, runnerId);
  await clear();
});

dbTest('a draining runner gets none', async () => {
  const { runner } = await aRunner();
  runner.beat({ state: 'draining', free: 1 });
  await waitUntil(async () => {
    const [row] = await database.sql`select beat from runner_sessions`;
    return row?.beat.state === 'draining';
  });
  await waitForReason(await dispatch(), 'no-slot');
  assert.is(runner.requests.length, 0);
  await clear();
});

dbTest(
  'slots are counted once: what was sent occupies one before the runner reports it',
  async () => {
    const { runner } = await aRunner({ free: 2 });
    const replies = [await post(), await post()];
    assert.equal(
      replies.map(({ status }) => status),
      [201, 201],
    );
    await waitForReason(await dispatch(), 'no-slot');
    assert.is(runner.home.made.size, 2);
    await clear();
  },
);

dbTest(
  'after a refusal another runner is tried; when all have refused, so is the dispatch',
  async () => {
    const refuse = () =>
      toProblemReply(422, 'cannot-run', { errors: [{ pointer: '/x', message: 'm' }] });
    const first = await aRunner({ free: 9, answer: refuse });
    const second = await aRunner({ free: 2 });
    assert.is((await post()).body.runner.id, second.runnerId);
    assert.is(first.runner.requests.length, 1);
    second.runner.close();
    await database.sql`update runners set revoked_at = now() where id = ${second.runnerId}`;
    const { status, body } = await post();
    assert.equal([status, body.code, body.runner], [422, 'cannot-run', `mac${homes - 1}`]);
    assert.equal(body.errors, [{ pointer: '/x', message: 'm' }]);
    assert.is((await findDispatch(body.dispatchId)).state, 'refused');
    await clear();
  },
);

for (const [name, reply] of Object.entries({
  'still running': toProblemReply(409, 'conflict', { running: true }),
  'an error': toProblemReply(500, 'internal'),
  'a stop': toProblemReply(503, 'stopping'),
  'too many requests': toProblemReply(429, 'rate-limited'),
  'no job': toJsonReply(201, { hello: 1 }),
  'a page': { status: 404, body: '<html>', headers: { 'content-type': 'text/html' } },
}))
  dbTest(`the same home is asked again after: ${name}`, async () => {
    let answers = 0;
    const home = new DoubleHome();
    const { runner } = await aRunner({
      home,
      free: 1,
      answer: (request) => {
        answers += 1;
        return answers === 1 ? reply : runner.makeJobs(request);
      },
    });
    const other = await aRunner({ free: 1, hello: { accept: 'none' } });
    assert.is((await post()).status, 201);
    assert.is(answers, 2);
    assert.is(other.runner.requests.length, 0);
    await clear();
  });

dbTest(
  'a sent one says where it is, and since when the runner is away; it goes to no other',
  async () => {
    const { runner, token } = await aRunner({ answer: () => null, hello: { name: 'mac-ada' } });
    const id = await dispatch();
    await waitForReason(id, 'sent to mac-ada');
    assert.is((await act(id, 'cancel')).status, 409);
    runner.close();
    await waitUntil(async () =>
      (await findDispatch(id)).reason.startsWith('sent to mac-ada, which is away since 20'),
    );
    const other = await aRunner({ free: 9 });
    await post();
    assert.is(other.runner.home.made.size, 1);
    assert.is((await findDispatch(id)).state, 'sent');

    // Another home with the same token is not asked: it does not know the request.
    const homeId = `home${homes - 1}`;
    const copy = await new DoubleRunner(node, token, { homeId: 'copy' }).connect();
    await waitUntil(async () => {
      const [row] = await database.sql`select home_id from runners where home_id = 'copy'`;
      return row !== undefined;
    });
    await database.sql`update dispatches set next_at = ${new Date()} where id = ${id}`;
    await waitUntil(async () => {
      const [row] =
        await database.sql`select next_at > ${new Date()} as done from dispatches where id = ${id}`;
      return row?.done === true;
    });
    assert.is(copy.requests.length, 0);
    copy.close();
    await waitUntil(async () => {
      const [row] =
        await database.sql`select lost_at from runner_sessions join runners on runners.id = runner_id where home_id = 'copy'`;
      return row?.lost_at !== null;
    });

    const again = await new DoubleRunner(node, token, { homeId }).connect();
    await waitUntil(async () => (await findDispatch(id)).state === 'placed');
    assert.is(again.requests[0]?.headers['idempotency-key'], id);
    again.close();
    await clear();
  },
);

dbTest('an admin gives a sent one up, and learns that the job may exist', async () => {
  await aRunner({ answer: () => null });
  const id = await dispatch();
  await waitUntil(async () => (await findDispatch(id)).state === 'sent');
  assert.is((await act(id, 'give-up', 'ben')).status, 403);
  const { status, body } = await act(id, 'give-up', 'adm');
  assert.equal([status, body.state, body.reason], [200, 'cancelled', 'given-up']);
  assert.match(body.warning, 'may exist');
  assert.is((await act(id, 'give-up', 'adm')).status, 409);
  await clear();
});

dbTest('a waiting one is cancelled by its author or an admin', async () => {
  const id = await dispatch();
  assert.is((await act(id, 'cancel', 'ben')).status, 403);
  assert.is((await act(id, 'cancel', 'ada')).body.state, 'cancelled');
  assert.is((await act(id, 'cancel', 'adm')).status, 200);
  assert.is((await act('nosuch', 'cancel')).status, 404);
  await clear();
});

dbTest('the jobs of a person who has left are cancelled while they wait', async () => {
  const id = await dispatch({}, 'ben');
  await database.sql`update members set role = 'viewer' where user_id = 'ben'`;
  const { state } = await waitForReason(id, 'creator-left');
  assert.is(state, 'cancelled');
  await database.sql`update members set role = 'member' where user_id = 'ben'`;
  await clear();
});

dbTest('a team lets each person run so many at a time', async () => {
  const changed = await node.ask('/teams/acme', {
    method: 'PATCH',
    headers: asUser('ada'),
    body: JSON.stringify({ maxRunningPerPerson: 1 }),
  });
  assert.is((await changed.json()).maxRunningPerPerson, 1);
  const { runner } = await aRunner({ free: 9 });
  const { body } = await post();
  const second = await dispatch();
  await waitForReason(second, 'person-limit');
  assert.is((await post({}, { userId: 'ben' })).status, 201);
  const { toRow } = await import('../../support/cloud/doubleRunner.ts');
  runner.sendJobs([toRow(body.jobId, { ended: true })]);
  await waitUntil(async () => (await findDispatch(second)).state === 'placed');
  await node.ask('/teams/acme', {
    method: 'PATCH',
    headers: asUser('ada'),
    body: JSON.stringify({ maxRunningPerPerson: null }),
  });
  await clear();
});

dbTest('what no runner took within a day has expired', async () => {
  const laterClock = createShiftedClock(briskClock);
  const later = await startTeamNode({ databaseUrl: node.databaseUrl, clock: laterClock });
  const id = await dispatch({ labels: ['tpu'] });
  laterClock.shift(24 * 3_600_000 + 60_000);
  await waitUntil(async () => (await findDispatch(id)).state === 'expired');
  await later.stop();
  await clear();
});

dbTest('another node continues what one has sent and not finished', async () => {
  const { runner, token } = await aRunner({ answer: () => null });
  const id = await dispatch();
  await waitUntil(async () => runner.requests.length === 1);
  const other = await startTeamNode({ databaseUrl: node.databaseUrl, clock });
  await database.close();
  await node.stop();
  node = other;
  database = await openDatabase(node.databaseUrl, { log: silentLog, max: 2 });
  const again = await new DoubleRunner(node, token, { homeId: `home${homes}` }).connect();
  await waitUntil(async () => (await findDispatch(id)).state === 'placed');
  assert.is(again.requests[0]?.headers['idempotency-key'], id);
  again.close();
});

dbTest('the node of the tests of this file ends', async () => {
  await database.close();
  await node.stop();
});

test.run();
