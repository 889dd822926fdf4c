import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  expireClaims,
  returnClaimsOfRevoked,
  settleClaims,
} from '../../../src/cloud/webhooks/settleClaims.ts';
import {
  openTestDatabase,
  defineDatabaseTests,
  type TestDatabase,
} from '../../support/cloud/openTestDatabase.ts';
import { seedTeams } from '../../support/cloud/testTeam.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('cloud: claims of rules that no runner uses');
const dbTest = defineDatabaseTests(test);

const HOUR_MS = 3_600_000;
const HASH = `sha256:${'a'.repeat(64)}`;

let database: TestDatabase;
const clock = new SimulatedClock(Date.parse('2026-01-01T00:00:00Z'));
const places = () => ({ database, clock });
const now = () => new Date(clock.now());

async function addClaim(
  rule: string,
  {
    state = 'open',
    runner = null as string | null,
    asked = [] as string[],
    reason = 'no executor' as string | null,
  },
) {
  await database.sql`
    insert into webhook_claims (team_id, rule, hash, plugin_id, runner_id, state, reason, asked, changed_at)
    values ('acme', ${rule}, ${HASH}, 'github', ${runner}, ${state}, ${reason}, ${database.sql.json(asked)}, ${now()})`;
}

async function readClaim(rule: string) {
  const [row] = await database.sql`
    select state, runner_id, job_id, reason from webhook_claims where rule = ${rule}`;
  return row;
}

const settledDelivery = (runnerId: string, rule: string) => ({
  runnerId,
  n: 1,
  rule,
  attempts: 1,
  teamId: 'acme',
  pluginId: 'github',
  hash: HASH,
  headers: new Uint8Array(),
  body: new Uint8Array(),
  receivedAt: now(),
});

dbTest('a team with two runners and a delivery', async () => {
  database = await openTestDatabase();
  await seedTeams(database.url);
  for (const id of ['one', 'two'])
    await database.sql`
      insert into runners (id, team_id, home_id, name, accept, token_hash, token_at, created_at)
      values (${id}, 'acme', ${id}, ${id}, 'own', ${id}, ${now()}, ${now()})`;
  await database.sql`
    insert into webhook_deliveries (team_id, plugin_id, delivery_id, hash, is_known_by_hash, headers, body, received_at)
    values ('acme', 'github', 'd-1', ${HASH}, true, '', '', ${now()})`;
});

dbTest(
  'one that was given back is given up after a day, with the reason of the runner (EVT-3)',
  async () => {
    await addClaim('given back', {});
    clock.advance(24 * HOUR_MS);
    await expireClaims(places());
    assert.is((await readClaim('given back'))?.state, 'open');
    clock.advance(1);
    await expireClaims(places());
    const { state, reason } = (await readClaim('given back')) ?? {};
    assert.equal([state, reason], ['expired', 'no executor']);
  },
);

dbTest('so is one whose runner never reports the outcome, and the runner is named', async () => {
  await addClaim('silent', { state: 'held', runner: 'one', reason: null });
  clock.advance(24 * HOUR_MS + 1);
  await expireClaims(places());
  const { state, reason } = (await readClaim('silent')) ?? {};
  assert.is(state, 'expired');
  assert.match(reason, 'one');
});

dbTest('a runner that had created the job after all, and reports it, is believed', async () => {
  const outcome = { jobId: 'job-1', reason: null };
  await settleClaims(places(), settledDelivery('one', 'silent'), outcome);
  const { state, job_id, reason } = (await readClaim('silent')) ?? {};
  assert.equal([state, job_id, reason], ['made', 'job-1', null]);
});

dbTest('one of a runner that was removed is offered to the others that have asked', async () => {
  await addClaim('orphan', { state: 'held', runner: 'one', asked: ['two'], reason: null });
  await database.sql`update runners set revoked_at = ${now()} where id = 'one'`;
  assert.is(await returnClaimsOfRevoked(places()), true);
  const { state, runner_id } = (await readClaim('orphan')) ?? {};
  assert.equal([state, runner_id], ['open', null]);
  const sends = await database.sql`select runner_id, rule from webhook_sends`;
  assert.equal(
    sends.map((row) => [row.runner_id, row.rule]),
    [['two', 'orphan']],
  );
});

dbTest('the database is closed', () => database.close());

test.run();
