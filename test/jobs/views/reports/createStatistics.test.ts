import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Database } from '../../../../src/kernel/sqlite/database.ts';
import { MIGRATIONS } from '../../../../src/jobs/store/migrations/migrations.ts';
import { openStore } from '../../../../src/jobs/store/openStore.ts';
import { StatisticsReader } from '../../../../src/jobs/store/queries/statisticsReader.ts';
import type { RowChange } from '../../../../src/contract/records/changes.ts';
import type { Tables } from '../../../../src/contract/records/tables.ts';
import { createStatistics } from '../../../../src/jobs/views/reports/createStatistics.ts';
import type { SqlValue } from '../../../../src/kernel/sqlite/toSqlValue.ts';

const test = suite('views: statistics');

const DAY = 86_400_000;
const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 22, 12);

interface Seed {
  workflow?: string;
  state: Tables['job_list']['state'];
  created: number;
  since: number;
  tokens?: [number, number];
  /** Sessions of its first visit that ended without a report of tokens. */
  unreported?: number;
  /** From when on it is in a state: what is parked for, `queued`, or null for work. */
  states?: [at: number, kind: string | null][];
}

function openStatistics(jobs: Seed[]) {
  const store = openStore({ file: ':memory:', pid: 1, now: 0 });
  const rows = jobs.flatMap(
    (
      { workflow = 'workflows/job.md', state, created, since, tokens, unreported = 0 },
      n,
    ): RowChange[] => [
      {
        op: 'put',
        table: 'job_list',
        row: {
          job_id: `j${n}`,
          parent: null,
          kind: 'job',
          status: state,
          state,
          ask: null,
          since,
          dismissed_at: null,
          repo: null,
          workflow,
          phase: 'coding',
          title: '',
          created_at: created,
          text: '',
        },
      },
      ...(tokens === undefined
        ? []
        : ([
            {
              op: 'put',
              table: 'phase_visits',
              row: {
                job_id: `j${n}`,
                visit: 1,
                phase: 'coding',
                status: 'coding',
                started_at: created,
                ended_at: null,
                sessions: 1,
                overlay_hash: null,
                outcome: null,
                approved_by: null,
              },
            },
            {
              op: 'put',
              table: 'token_usage',
              row: {
                job_id: `j${n}`,
                visit: 1,
                session: 1,
                phase: 'coding',
                input_tokens: tokens[0],
                output_tokens: tokens[1],
                cached_input_tokens: 0,
                cache_write_tokens: null,
              },
            },
          ] satisfies RowChange[])),
      ...Array.from(
        { length: unreported },
        (_, session): RowChange => ({
          op: 'put',
          table: 'usage_calls',
          row: {
            subject: `j${n}`,
            visit: 1,
            session: session + 2,
            seq: 1,
            root: `j${n}`,
            phase: 'coding',
            workflow,
            repository: null,
            provider: 'command',
            model: null,
            at: since,
            ms: 1,
            input_tokens: 0,
            output_tokens: 0,
            cached_input_tokens: 0,
            cache_write_tokens: 0,
            cache_write_1h_tokens: 0,
            reasoning_tokens: 0,
            micro_usd: null,
            metered: 1,
            source: 'none',
          },
        }),
      ),
    ],
  );
  void store.durable.commit({
    generation: store.durable.claim(),
    actors: [],
    journal: [],
    outboxPut: [],
    outboxDone: [],
    timersSet: [],
    timersDrop: [],
    inbox: [],
    mailPut: [],
    mailDone: [],
    frames: jobs.flatMap(({ states = [] }, n) =>
      states.map(([at, kind], index) => ({
        actor: `j${n}`,
        n: index + 1,
        at,
        kind: 'state',
        data: {
          state: [kind === 'queued' ? 'queued' : kind === null ? 'working.inSession' : 'parked'],
          parked: kind === null || kind === 'queued' ? null : { kind },
        },
      })),
    ),
    rows,
  });
  return createStatistics({ reader: store.statistics, now: () => NOW }).statistics;
}

test('each day of the period has what was created and how jobs ended; days without any are listed too', async () => {
  const { days, jobs, from } = await openStatistics([
    { state: 'complete', created: NOW - 2 * DAY, since: NOW - 2 * DAY + HOUR },
    { state: 'complete', created: NOW - DAY, since: NOW - HOUR },
    { state: 'failed', created: NOW - HOUR, since: NOW - HOUR },
    { state: 'working', created: NOW - HOUR, since: NOW - HOUR },
    { state: 'complete', created: NOW - 9 * DAY, since: NOW - 8 * DAY },
  ])({ days: 3 });
  assert.equal(
    days.map(({ day, created, complete, failed }) => [day, created, complete, failed]),
    [
      ['2026-11-20', 1, 1, 0],
      ['2026-11-21', 1, 0, 0],
      ['2026-11-22', 2, 1, 1],
    ],
  );
  assert.is(jobs, 4);
  assert.is(from, '2026-11-20T00:00:00.000Z');
});

test('days begin at midnight of the time zone', async () => {
  const midnight = Date.UTC(2026, 10, 22);
  const { days } = await openStatistics([
    { state: 'complete', created: midnight - HOUR, since: midnight - HOUR },
  ])({ days: 2, offset: 120 });
  assert.equal(
    days.map(({ day, complete }) => [day, complete]),
    [
      ['2026-11-21', 0],
      ['2026-11-22', 1],
    ],
  );
});

test('each workflow has its outcomes, its mean time and its tokens', async () => {
  const { workflows } = await openStatistics([
    { state: 'complete', created: NOW - 3 * HOUR, since: NOW - HOUR, tokens: [100, 10] },
    { state: 'partial', created: NOW - 2 * HOUR, since: NOW, tokens: [50, 5] },
    { state: 'cancelled', created: NOW - 8 * HOUR, since: NOW - HOUR, workflow: 'w/other.md' },
    { state: 'working', created: NOW, since: NOW, workflow: 'w/none.md', tokens: [1, 1] },
  ])({ days: 1 });
  assert.equal(workflows, [
    {
      workflow: 'workflows/job.md',
      complete: 1,
      partial: 1,
      failed: 0,
      cancelled: 0,
      meanMs: 2 * HOUR,
      inputTokens: 150,
      outputTokens: 15,
      unreported: 0,
    },
    {
      workflow: 'w/other.md',
      complete: 0,
      partial: 0,
      failed: 0,
      cancelled: 1,
      meanMs: 7 * HOUR,
      inputTokens: 0,
      outputTokens: 0,
      unreported: 0,
    },
    {
      workflow: 'w/none.md',
      complete: 0,
      partial: 0,
      failed: 0,
      cancelled: 0,
      meanMs: 0,
      inputTokens: 1,
      outputTokens: 1,
      unreported: 0,
    },
  ]);
});

test('sessions that reported no tokens are counted beside the tokens, on the day of their visit', async () => {
  const { days, workflows } = await openStatistics([
    { state: 'complete', created: NOW - DAY, since: NOW, tokens: [0, 0], unreported: 2 },
    { state: 'complete', created: NOW, since: NOW, tokens: [100, 10], unreported: 1 },
  ])({ days: 2 });
  assert.equal(
    days.map(({ inputTokens, unreported }) => [inputTokens, unreported]),
    [
      [0, 2],
      [100, 1],
    ],
  );
  assert.is(workflows[0]?.unreported, 3);
});

test('waits are counted by reason: neighbours are one, one that lasts counts until now', async () => {
  const { waits, waitsOf } = await openStatistics([
    {
      state: 'waiting',
      created: NOW - 5 * HOUR,
      since: NOW - HOUR,
      states: [
        [NOW - 5 * HOUR, 'queued'],
        [NOW - 4 * HOUR, null],
        [NOW - 3 * HOUR, 'approval'],
        [NOW - 2 * HOUR, 'approval'],
        [NOW - 1.5 * HOUR, null],
        [NOW - HOUR, 'approval'],
      ],
    },
  ])({ days: 1 });
  assert.equal(waits, [
    {
      kind: 'approval',
      count: 2,
      meanMs: 1.25 * HOUR,
      longestMs: 1.5 * HOUR,
      totalMs: 2.5 * HOUR,
    },
    { kind: 'slot', count: 1, meanMs: HOUR, longestMs: HOUR, totalMs: HOUR },
  ]);
  assert.is(waitsOf, 1);
});

test('a home without jobs has empty days', async () => {
  const { days, workflows, waits, jobs } = await openStatistics([])({});
  assert.is(days.length, 30);
  assert.equal(workflows, []);
  assert.equal(waits, []);
  assert.is(jobs, 0);
});

test('jobs are read in slices, each job once, and other work is done in between', async () => {
  // Many that changed at once: slices end among them.
  const jobs = Array.from({ length: 1_001 }, (_, n): Seed => {
    const at = NOW - (n % 2) * HOUR;
    return { state: n < 400 ? 'complete' : 'failed', created: at, since: at, tokens: [2, 1] };
  });
  let turns = 0;
  let over = false;
  const other = () => {
    turns += 1;
    if (!over) setImmediate(other);
  };
  setImmediate(other);
  const { jobs: jobCount, workflows, days, waitsOf } = await openStatistics(jobs)({ days: 1 });
  over = true;
  assert.is(jobCount, 1_001);
  assert.is(waitsOf, 1_001);
  assert.is(workflows[0]?.complete, 400);
  assert.is(workflows[0]?.failed, 601);
  assert.is(days[0]?.created, 1_001);
  assert.is(days[0]?.inputTokens, 2_002);
  assert.ok(turns >= 20, `${turns} turns of the runner`);
});

test('each slice finds its rows by an index', () => {
  const db = new Database(':memory:');
  for (const sql of MIGRATIONS) db.exec(sql);
  const plans: string[] = [];
  const explained = (sql: string, ...values: SqlValue[]) => {
    const steps = db.all(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => detail);
    plans.push(steps.join('; '));
    return [];
  };
  const reader = new StatisticsReader(
    Object.assign(Object.create(db), { all: explained, get: explained }),
  );
  reader.counts(0, 1);
  reader.jobs(0, { since: 1, row: 1 }, 1);
  reader.waits(['a'], 0, 1);
  reader.nameLeftOut();
  const [counts = '', jobs = '', waits = '', unreadable = ''] = plans;
  assert.match(counts, /^SEARCH job_quarters USING PRIMARY KEY \(quarter>\? AND quarter<\?\)/);
  assert.match(jobs, /^SEARCH job_list USING INDEX job_list_since \(since>\? AND \(since,rowid\)</);
  assert.match(waits, /SEARCH f USING INDEX frames_beside_log \(actor=\?\)/);
  assert.match(unreadable, /token_usage USING INDEX token_usage_unreadable/);
  assert.is([...reader.countChanged(0)].length, 1);
  assert.ok(plans.slice(4).every((plan) => plan.includes('COVERING INDEX job_list_since')));
  db.close();
});

test.run();
