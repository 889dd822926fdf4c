import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { migrate } from '../../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../../../src/jobs/store/migrations/migrations.ts';
import {
  JOB_QUARTER_MIGRATION,
  REBUILD_JOB_QUARTERS,
} from '../../../src/jobs/store/migrations/jobQuarterMigration.ts';
import { FeatureTables } from '../../../src/kernel/sqlite/featureTables.ts';
import { RowChanges } from '../../../src/kernel/sqlite/rowChanges.ts';
import type { RowChange } from '../../../src/kernel/rowChange.ts';
import { aCall } from './aCall.ts';

const test = suite('store: jobs by quarter of an hour');

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 20, 22);
const STATES = ['queued', 'working', 'waiting', 'complete', 'partial', 'failed', 'cancelled'];

/** From 0 to below a number, the same in each run. */
function chances(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

function openState(migrations: readonly string[] = MIGRATIONS) {
  const db = new Database(':memory:');
  migrate(db, migrations);
  const changes = new RowChanges(new FeatureTables(db));
  return { db, change: (one: RowChange) => changes.carryOut(db, one) };
}

const jobRow = (job_id: string, more: Record<string, unknown> = {}) => ({
  job_id,
  parent: null,
  kind: 'job',
  status: 'coding',
  state: 'working',
  ask: null,
  since: START,
  dismissed_at: null,
  repo: null,
  workflow: 'w/a.md',
  phase: 'p',
  title: '',
  created_at: START,
  text: '',
  ...more,
});

const visitRow = (job_id: string, visit: number, started_at: number) => ({
  job_id,
  visit,
  phase: 'p',
  status: 'coding',
  started_at,
  ended_at: null,
  sessions: 1,
  overlay_hash: null,
  outcome: null,
  approved_by: null,
});

const usageRow = (job_id: string, visit: number, session: number, tokens: number) => ({
  job_id,
  visit,
  session,
  phase: 'p',
  input_tokens: tokens,
  output_tokens: tokens / 2,
  cached_input_tokens: 0,
});

/** A state after many changes of all that is counted. */
function busyState() {
  const state = openState();
  const { change } = state;
  const chance = chances(5);
  const at = () => START + chance(600) * MINUTE;
  const jobs = ['a', 'b', 'c', 'd'];
  for (const id of jobs) {
    const parent = id === 'd' ? 'a' : null;
    change({ op: 'put', table: 'job_list', row: jobRow(id, { parent, created_at: at() }) });
    for (const visit of [1, 2, 3])
      change({ op: 'put', table: 'phase_visits', row: visitRow(id, visit, at()) });
  }
  for (let step = 0; step < 500; step += 1) {
    const job_id = jobs[chance(jobs.length)] ?? 'a';
    const visit = 1 + chance(3);
    const session = 1 + chance(3);
    const call = { subject: job_id, visit, session, seq: 1 };
    const source = (['none', 'reported'] as const)[chance(2)] ?? 'none';
    const acts: RowChange[] = [
      { op: 'patch', table: 'job_list', key: { job_id }, set: { workflow: `w/${chance(3)}.md` } },
      { op: 'put', table: 'token_usage', row: usageRow(job_id, visit, session, 2 * chance(50)) },
      { op: 'drop', table: 'token_usage', key: { job_id, visit, session } },
      { op: 'put', table: 'usage_calls', row: { ...aCall({ ...call, source }) } },
      { op: 'drop', table: 'usage_calls', key: call },
    ];
    const moved: RowChange = {
      op: 'patch',
      table: 'job_list',
      key: { job_id },
      set: {
        state: STATES[chance(STATES.length)],
        ask: chance(2) === 0 ? 'escalated' : null,
        since: at(),
      },
    };
    change([moved, moved, moved, ...acts][chance(3 + acts.length)] ?? moved);
  }
  const ends = { a: 'complete', b: 'cancelled', c: 'failed', d: 'failed' };
  for (const [job_id, state] of Object.entries(ends))
    change({ op: 'patch', table: 'job_list', key: { job_id }, set: { state, ask: 'escalated' } });
  change({ op: 'put', table: 'job_list', row: jobRow('e', { state: 'partial' }) });
  return state;
}

const readCounts = (db: Database) =>
  db.all('SELECT * FROM job_quarters WHERE n + more > 0 ORDER BY 1, 2, 3');

test('the counts follow every change of jobs and of what they use', () => {
  const { db } = busyState();
  const counts = readCounts(db);
  db.exec(REBUILD_JOB_QUARTERS);
  assert.equal(counts, readCounts(db));
  const kinds = [...new Set(counts.map(({ kind }) => kind))].sort();
  assert.equal(kinds, [
    'cancelled',
    'complete',
    'created',
    'escalated',
    'failed',
    'failed-sub-run',
    'partial',
    'tokens',
    'unreported',
  ]);
});

test('a job that is gone counts nowhere', () => {
  const { db, change } = busyState();
  for (const id of ['a', 'b', 'c', 'd', 'e'])
    change({ op: 'drop', table: 'job_list', key: { job_id: id } });
  assert.equal(readCounts(db), []);
});

test('a job that wakes and parks changes no count', () => {
  const { db, change } = openState();
  change({ op: 'put', table: 'job_list', row: jobRow('a') });
  const before = readCounts(db);
  for (const state of ['waiting', 'queued', 'working'])
    change({
      op: 'patch',
      table: 'job_list',
      key: { job_id: 'a' },
      set: { state, since: START + MINUTE },
    });
  assert.equal(readCounts(db), before);
});

test('jobs from before the migration are counted', () => {
  const { db, change } = openState(MIGRATIONS.slice(0, MIGRATIONS.indexOf(JOB_QUARTER_MIGRATION)));
  change({
    op: 'put',
    table: 'job_list',
    row: jobRow('a', { state: 'complete', since: START + MINUTE }),
  });
  change({ op: 'put', table: 'phase_visits', row: visitRow('a', 1, START) });
  change({ op: 'put', table: 'token_usage', row: usageRow('a', 1, 1, 10) });
  migrate(db, MIGRATIONS);
  assert.equal(
    readCounts(db).map(({ kind, workflow, n, more }) => [kind, workflow, n, more]),
    [
      ['complete', 'w/a.md', 1, MINUTE],
      ['created', '', 1, 0],
      ['tokens', 'w/a.md', 10, 5],
    ],
  );
});

test.run();
