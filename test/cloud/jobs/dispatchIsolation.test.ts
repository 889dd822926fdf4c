import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDeferred } from '../../../src/base/concurrency/createDeferred.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import type { Database } from '../../../src/cloud/database/database.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import { MOST_SENDING_OF_TEAM } from '../../../src/cloud/jobs/dispatches/dispatcher.ts';
import { CLAIM_MS } from '../../../src/cloud/jobs/dispatches/placeDispatches.ts';
import { connectDouble, DoubleRunner, toRow } from '../../support/cloud/doubleRunner.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { asUser, pairHome, waitUntil, startTeamNode } from '../../support/cloud/testTeam.ts';

const test = suite('cloud: dispatches that others must not suffer from');
const dbTest = defineDatabaseTests(test);

let node: TestControlPlane;
let other: TestControlPlane;
let database: Database;

const BODY = { type: 'job', workflowPath: 'workflows/job.md', params: { repoSlug: 'shop' } };

const post = async (key: string) => {
  const reply = await node.ask('/teams/acme/jobs', {
    method: 'POST',
    headers: { ...asUser('ada'), 'Idempotency-Key': key },
    body: JSON.stringify(BODY),
  });
  return { status: reply.status, body: await reply.json() };
};

const ask = async (path: string, init: RequestInit = {}) =>
  node.ask(`/teams/acme${path}`, { headers: asUser('ada'), ...init });

dbTest('two nodes for the tests of this file', async () => {
  node = await startTeamNode();
  other = await startTeamNode({ databaseUrl: node.databaseUrl });
  database = await openDatabase(node.databaseUrl, { log: silentLog, max: 2 });
});

dbTest(
  'a request that is still being answered is made by no node again, nor by the same key (CLD-5)',
  async () => {
    const answer = createDeferred<void>();
    const { runner } = await connectDouble(node, {
      homeId: 'slow',
      hello: { name: 'slow' },
      answer: async (request) => {
        await answer.promise;
        return runner.makeJobs(request);
      },
    });
    const replies = [post('k'), post('k')];
    await waitUntil(() => runner.requests.length === 1);
    const [row] = await database.sql`select id, sent_at from dispatches`;
    // Without a renewal another node takes it when its claim has ended.
    await waitUntil(async () => {
      const [now] = await database.sql`select next_at from dispatches where id = ${row?.id}`;
      return now?.next_at.getTime() > row?.sent_at.getTime() + 2 * CLAIM_MS;
    });
    assert.is(runner.requests.length, 1);
    answer.resolve();
    const [first, second] = await Promise.all(replies);
    assert.is(first?.status, 201);
    assert.equal(second, first);
    assert.is(runner.home.made.size, 1);
    runner.close();
  },
);

dbTest('runners of a team that do not answer hold up no other team (CLD-5)', async () => {
  const hostile = await connectDouble(node, {
    team: 'other',
    userId: 'eve',
    homeId: 'hostile',
    free: 1_000,
    hello: { name: 'hostile', slots: 1_000 },
    answer: () => null,
  });
  const now = new Date();
  await database.sql`
    insert into dispatches (id, team_id, created_by, body, labels, state, reason, reason_since, created_at)
    select 'hostile' || n, 'other', 'eve', ${JSON.stringify(BODY)}::text::jsonb, '{}', 'waiting', 'no-runner', ${now}, ${now}
    from generate_series(1, 600) n`;
  await waitUntil(() => hostile.runner.requests.length >= MOST_SENDING_OF_TEAM);
  const { runner } = await connectDouble(node, { homeId: 'well', hello: { name: 'well' } });
  assert.is((await post('l')).status, 201);
  assert.is(runner.home.made.size, 1);
  assert.ok(hostile.runner.requests.length <= 2 * MOST_SENDING_OF_TEAM);
  hostile.runner.close();
  runner.close();
  await database.sql`delete from dispatches`;
});

dbTest(
  'a job sent to a revoked runner reports it, and continues when the runner is paired again',
  async () => {
    const { runner, runnerId } = await connectDouble(node, {
      homeId: 'lent',
      hello: { name: 'lent' },
      answer: () => null,
    });
    runner.sendJobs([toRow('kept')]);
    await waitUntil(async () => (await (await ask('/jobs')).json()).length === 1);
    void post('m').catch(() => undefined);
    await waitUntil(() => runner.requests.length === 1);
    const [{ id }] = await database.sql<[{ id: string }]>`select id from dispatches`;
    const readReason = async () => (await (await ask(`/dispatches/${id}`)).json()).reason;

    assert.is((await ask(`/runners/${runnerId}`, { method: 'DELETE' })).status, 204);
    await waitUntil(async () => (await readReason()) === 'sent to lent, which was revoked');
    const [job] = await (await ask('/jobs')).json();
    assert.is(job.id, 'kept');
    assert.type(job.runner.revokedAt, 'string');
    const refused = await ask('/jobs/kept/log');
    assert.is(refused.status, 503);
    assert.match((await refused.json()).detail, 'was revoked');

    const { body } = await pairHome(node, { homeId: 'lent', name: 'lent' });
    const again = new DoubleRunner(node, body.token, { homeId: 'lent' });
    await again.connect();
    await waitUntil(async () => (await readReason()) === 'placed');
    assert.is(again.requests.find(({ path }) => path === '/jobs')?.headers['idempotency-key'], id);
    assert.is((await (await ask('/jobs')).json())[0].runner.revokedAt, undefined);
    again.close();
  },
);

dbTest('the nodes of the tests of this file end', async () => {
  await database.close();
  await Promise.all([node.stop(), other.stop()]);
});

test.run();
