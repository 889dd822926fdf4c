import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { removeOldRows, STEP_ROWS } from '../../../src/cloud/retention/keepRetention.ts';
import { createRetentionRules } from '../../../src/cloud/retention/retentionRules.ts';
import { cleanUpLogs } from '../../../src/cloud/homes/logCleanup.ts';
import {
  openTestDatabase,
  defineDatabaseTests,
  type TestDatabase,
} from '../../support/cloud/openTestDatabase.ts';
import { createShiftedClock } from '../../support/cloud/shiftedClock.ts';
import { seedTeams } from '../../support/cloud/testTeam.ts';

const test = suite('cloud: what is no longer kept');
const dbTest = defineDatabaseTests(test);

const DAY_MS = 24 * 3_600_000;
const KEPT_JOBS_DAYS = 30;

let database: TestDatabase;
const clock = createShiftedClock();
const ago = (days: number): Date => new Date(clock.now() - days * DAY_MS);
const remove = () =>
  removeOldRows({ database, clock, log: silentLog }, KEPT_JOBS_DAYS, new AbortController().signal);

/** The values of a column after a pass, in order. */
async function keep(table: string, column: string): Promise<unknown[]> {
  await remove();
  const rows = await database.sql.unsafe(`select ${column} as value from ${table} order by 1`);
  return rows.map(({ value }) => value);
}

const addRunner = (id: string, revokedAt: Date | null) => database.sql`
  insert into runners (id, team_id, home_id, name, accept, token_hash, token_at, created_at, revoked_at)
  values (${id}, 'acme', ${`home of ${id}`}, ${id}, 'team', ${id}, ${ago(900)}, ${ago(900)}, ${revokedAt})`;

/** `summary` says what state the job is in. */
const addJob = (
  id: string,
  updatedAt: Date,
  { ended = true, status = 'complete', runner = 'r1', parent = null as string | null } = {},
) => database.sql`
  insert into jobs (team_id, runner_id, job_id, change, summary, status, type, title, needs_person, parent_job_id,
    created_at, updated_at)
  values ('acme', ${runner}, ${id}, 1, ${database.sql.json({ ended })}, ${status}, 'task', ${id}, false, ${parent},
    ${ago(900)}, ${updatedAt})`;

dbTest('a database for the tests of this file', async () => {
  database = await openTestDatabase();
  await seedTeams(database.url);
  await addRunner('r1', null);
});

dbTest('audit entries are kept for a year, and the newest of a team for ever', async () => {
  for (const [n, days] of [400, 366, 364, 10].entries())
    await database.sql`
      insert into audit (team_id, n, at, action, target, previous, hash)
      values ('acme', ${n + 1}, ${ago(days)}, 'login', '{}', '', '')`;
  await database.sql`insert into audit_heads values ('acme', 4, '')`;
  await database.sql`
    insert into audit (team_id, n, at, action, target, previous, hash)
    values ('other', 1, ${ago(400)}, 'login', '{}', '', '')`;
  await database.sql`insert into audit_heads values ('other', 1, '')`;
  assert.equal(await keep('audit', 'team_id || n'), ['acme3', 'acme4', 'other1']);
});

dbTest('more than one step is removed in one pass', async () => {
  await database.sql`
    insert into audit (team_id, n, at, action, target, previous, hash)
    select 'many', n, ${ago(500)}, 'login', '{}', '', '' from generate_series(1, ${2 * STEP_ROWS + 1}) n`;
  await database.sql`insert into audit_heads values ('many', ${2 * STEP_ROWS + 1}, '')`;
  assert.equal(await keep("audit where team_id = 'many'", 'n'), [2 * STEP_ROWS + 1]);
});

dbTest('rows of ended jobs stay as long as it is set; jobs that work or wait stay', async () => {
  await addJob('old', ago(31));
  await addJob('failed', ago(31), { status: 'failed' });
  await addJob('young', ago(29));
  await addJob('working', ago(31), { ended: false, status: 'running' });
  assert.equal(await keep('jobs', 'job_id'), ['working', 'young']);
});

dbTest('a part of a campaign stays while the campaign works', async () => {
  await addJob('part', ago(31), { parent: 'working' });
  assert.equal(await keep('jobs', 'job_id'), ['part', 'working', 'young']);
  await database.sql`update jobs set summary = '{"ended":true}', status = 'complete' where job_id = 'working'`;
  await remove();
  assert.equal(await keep('jobs', 'job_id'), ['young']);
});

dbTest('a revoked runner goes after a year, and its jobs before', async () => {
  await addRunner('gone', ago(366));
  await addRunner('recent', ago(31));
  await addJob('stuck', ago(100), { ended: false, status: 'running', runner: 'gone' });
  await addJob('fresh', ago(2), { ended: false, status: 'running', runner: 'recent' });
  assert.equal(await keep('jobs', 'job_id'), ['fresh', 'young']);
  assert.equal(await keep('runners', 'id'), ['r1', 'recent']);
});

dbTest('artefacts of a revoked runner go with its state, after 30 days', async () => {
  for (const runner of ['r1', 'recent'])
    await database.sql`
      insert into blobs (runner_id, sha256, bytes, uploaded_at) values (${runner}, 'x', 1, ${ago(200)})`;
  while (!(await cleanUpLogs({ database, clock, log: silentLog })));
  assert.equal(await keep('blobs', 'runner_id'), ['r1']);
});

dbTest('dispatches are kept for 90 days after they have ended', async () => {
  const add = (id: string, state: string, endedAt: Date | null) => database.sql`
    insert into dispatches (id, team_id, created_by, body, state, reason, reason_since, created_at, ended_at)
    values (${id}, 'acme', 'ada', '{}', ${state}, 'x', ${ago(99)}, ${ago(99)}, ${endedAt})`;
  await add('placed', 'placed', ago(91));
  await add('cancelled', 'cancelled', ago(91));
  await add('young', 'placed', ago(89));
  await add('waiting', 'waiting', null);
  assert.equal(await keep('dispatches', 'id'), ['waiting', 'young']);
});

dbTest('invitations are kept for 30 days after their end', async () => {
  const add = (id: string, more: object) => database.sql`
    insert into invitations ${database.sql({
      token_hash: id,
      id,
      team_id: 'acme',
      role: 'member',
      invited_by: 'ada',
      created_at: ago(50),
      expires_at: ago(31),
      ...more,
    })}`;
  await add('expired', {});
  await add('used', { expires_at: ago(-1), accepted_at: ago(31) });
  await add('revoked', { expires_at: ago(-1), revoked_at: ago(31) });
  await add('late', { accepted_at: ago(29) });
  await add('open', { expires_at: ago(-1) });
  assert.equal(await keep('invitations', 'id'), ['late', 'open']);
});

dbTest('links and codes go a day after they have ended', async () => {
  const { sql } = database;
  const creation = { created_at: ago(3) };
  for (const [id, expires_at] of [
    ['over', ago(1.1)],
    ['open', ago(-1)],
  ] as const) {
    await sql`insert into owner_links ${sql({ token_hash: id, expires_at, ...creation })}`;
    await sql`insert into password_links ${sql({ token_hash: id, user_id: 'ada', expires_at, ...creation })}`;
    await sql`insert into pairing_codes ${sql({ code_hash: id, team_id: 'acme', created_by: 'ada', expires_at, ...creation })}`;
  }
  assert.equal(await keep('owner_links', 'token_hash'), ['open']);
  assert.equal(await keep('password_links', 'token_hash'), ['open']);
  assert.equal(await keep('pairing_codes', 'code_hash'), ['open']);
});

dbTest('webhooks and claims are kept for 7 days, a claim longer while its job works', async () => {
  const { sql } = database;
  for (const [id, days] of [
    ['old', 8],
    ['young', 6],
  ] as const)
    await sql`
      insert into webhook_deliveries (team_id, plugin_id, delivery_id, hash, is_known_by_hash, headers, body, received_at)
      values ('acme', 'github', ${id}, ${id}, false, '', '', ${ago(days)})`;
  await addJob('at work', ago(1), { ended: false, status: 'running' });
  const claim = (rule: string, days: number, state: string, job: string | null) => sql`
    insert into webhook_claims (team_id, rule, hash, plugin_id, runner_id, state, job_id, changed_at)
    values ('acme', ${rule}, 'h', 'github', 'r1', ${state}, ${job}, ${ago(days)})`;
  await claim('open', 8, 'open', null);
  await claim('ended', 8, 'made', 'young');
  await claim('working', 8, 'made', 'at work');
  await claim('young', 6, 'open', null);
  assert.equal(await keep('webhook_deliveries', 'delivery_id'), ['young']);
  assert.equal(await keep('webhook_claims', 'rule'), ['working', 'young']);
});

dbTest('rejected proposals are kept for a year, applied ones for ever', async () => {
  const add = (id: string, state: string, changedAt: Date) => database.sql`
    insert into proposals (team_id, id, kind, description, content, hash, checks, warnings, state, created_at, changed_at)
    values ('acme', ${id}, 'memory', '', '', '', '{}', 0, ${state}, ${ago(900)}, ${changedAt})`;
  await add('rejected', 'rejected', ago(366));
  await add('young', 'rejected', ago(364));
  await add('applied', 'applied', ago(800));
  await add('open', 'open', ago(800));
  assert.equal(await keep('proposals', 'id'), ['applied', 'open', 'young']);
});

dbTest('a rule that fails holds up no other', async () => {
  await database.sql`alter table webhook_deliveries rename to elsewhere`;
  await addJob('late', ago(31));
  assert.equal(await keep('jobs', 'job_id'), ['at work', 'fresh', 'young']);
  await database.sql`alter table elsewhere rename to webhook_deliveries`;
});

dbTest('no two rules have the same name', () => {
  const names = createRetentionRules(KEPT_JOBS_DAYS).map(({ name }) => name);
  assert.is(new Set(names).size, names.length);
});

dbTest('the database is closed', () => database.close());

test.run();
