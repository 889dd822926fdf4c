import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PhaseCalls } from '../../../src/policy/budgets/budgetDeps.ts';
import { Estimates } from '../../../src/policy/budgets/estimates.ts';
import type { Caps } from '../../../src/base/spending/budgetScopes.ts';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { FeatureTables } from '../../../src/kernel/sqlite/featureTables.ts';
import { migrate } from '../../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../../../src/jobs/store/migrations/migrations.ts';
import { RowChanges } from '../../../src/kernel/sqlite/rowChanges.ts';
import { createRowReader } from '../../support/createRowReader.ts';
import type { Tables } from '../../../src/contract/records/tables.ts';
import { WALK_WORKFLOW } from '../../support/charts/randomWalk.ts';

const test = suite('estimates');

const NOW = Date.UTC(2026, 10, 22, 12);
const WORKFLOW = 'workflows/job.md';

const aCall = (
  subject: string,
  changed: Partial<Tables['usage_calls']>,
): Tables['usage_calls'] => ({
  subject,
  visit: 1,
  session: 1,
  seq: 1,
  root: subject,
  phase: 'coding',
  workflow: WORKFLOW,
  repository: 'shop',
  provider: 'builtin',
  model: 'm',
  at: NOW,
  ms: 60_000,
  input_tokens: 1_000,
  output_tokens: 0,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  cache_write_1h_tokens: 0,
  reasoning_tokens: 0,
  micro_usd: 0,
  metered: 1,
  source: 'reported',
  ...changed,
});

interface Past {
  usd?: number | null;
  repo?: string;
  state?: Tables['job_list']['state'];
  /** Of a sub-run of it, dollars. */
  below?: number;
}

const METERED: Omit<PhaseCalls, 'isListed' | 'microUsd'> = {
  metered: true,
  reportsUsage: 'each-call',
  stopsBetweenCalls: true,
};

/** Estimates of a home with these jobs of the past. */
const homeWith = (past: Past[], caps: Caps = {}, calls = METERED) => {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS);
  const tables = new FeatureTables(db);
  const changes = new RowChanges(tables);
  const micro = (usd: number | null) => (usd === null ? null : Math.round(usd * 1_000_000));
  past.forEach(({ usd = 1, repo = 'shop', state = 'complete', below }, n) => {
    const id = `job-${n}`;
    changes.carryOut(db, {
      op: 'put',
      table: 'job_list',
      row: {
        job_id: id,
        parent: null,
        kind: 'job',
        status: state,
        state,
        ask: null,
        since: n,
        dismissed_at: null,
        repo,
        workflow: WORKFLOW,
        phase: 'reporting',
        title: '',
        created_at: n,
        text: '',
      },
    });
    const calls = [aCall(id, { micro_usd: micro(usd), repository: repo })];
    if (below !== undefined) calls.push(aCall(`${id}-sub`, { root: id, micro_usd: micro(below) }));
    for (const row of calls) changes.carryOut(db, { op: 'put', table: 'usage_calls', row });
  });
  return new Estimates({
    rows: createRowReader(db, tables),
    now: () => NOW,
    settings: { budgets: { caps, headlessFactor: 1, unpriced: { input: 15, output: 75 } } },
    readContext: () => undefined,
    callPrice: () => ({ ...calls, isListed: true, microUsd: 1_000_000 }),
  });
};

const JOB = {
  workflowPath: WORKFLOW,
  workflow: { ...WALK_WORKFLOW, coordinator: null },
  params: { repoSlug: 'shop' },
  interactive: true,
  subRuns: [],
  sessionsPerVisit: 10,
};

const times = (count: number, one: Past): Past[] => Array.from({ length: count }, () => one);

test('five completed runs in this repository say what the next one is likely to use (JOB-16)', () => {
  const { history } = homeWith([1, 2, 3, 4, 5].map((usd) => ({ usd }))).of(JOB);
  assert.equal(
    [history?.of, history?.runs, history?.p50.usd, history?.p90.usd],
    ['repository', 5, 3, 5],
  );
});

test('too few of this repository: those of the workflow in any', () => {
  const { history } = homeWith([...times(4, {}), { repo: 'other', usd: 9 }]).of(JOB);
  assert.equal([history?.of, history?.runs], ['workflow', 5]);
});

test('fewer than five runs are no history', () => {
  assert.is(homeWith(times(4, {})).of(JOB).history, null);
});

test('runs that have not completed are no history', () => {
  assert.is(homeWith([...times(4, {}), { state: 'failed' }]).of(JOB).history, null);
});

test('what sub-runs have used is part of their campaign', () => {
  const { history } = homeWith(times(5, { usd: 1, below: 2 })).of(JOB);
  assert.is(history?.p50.usd, 3);
});

test('where too few runs have a known cost, the likely cost is not known', () => {
  const { history } = homeWith([...times(4, {}), { usd: null }]).of(JOB);
  assert.equal([history?.p50.usd, history?.p50.tokens], [null, 1_000]);
});

test('the bound is written in dollars, for phases with an agent alone', () => {
  const { bound } = homeWith([], { session: { usd: 0.5 } }).of(JOB);
  assert.is(bound.usd, 4 * 8 * 10 * 0.5);
});

test('caps in the params count (JOB-16)', () => {
  const { bound } = homeWith([]).of({ ...JOB, params: { budget: { session: { usd: 1 } } } });
  assert.is(bound.usd, 4 * 8 * 10);
});

test('sub-runs that the request names are in the bound', () => {
  const estimates = homeWith([], { session: { usd: 0.5 } });
  const { bound, assumes } = estimates.of({ ...JOB, subRuns: [JOB, JOB] });
  assert.equal([bound.usd, assumes.subRuns], [3 * 160, 2]);
});

test('of several caps the one of which the least is left will stop the job', () => {
  const caps = { job: { usd: 10 }, day: { usd: 50 }, week: { tokens: 9_000 } };
  const { stops } = homeWith([{ usd: 45 }], caps).of(JOB);
  assert.equal(
    stops.map(({ scope, metric, left }) => [scope, metric, left]),
    [
      ['day', 'usd', 5],
      ['week', 'tokens', 8_000],
    ],
  );
});

const exceeding = (caps: Caps, metered = true) =>
  homeWith([], caps, { ...METERED, metered })
    .of(JOB)
    .text.filter((line) => /exceed/.test(line));

test('it says how much more than a cap a session can use (JOB-16)', () => {
  assert.equal(exceeding({ day: { usd: 5 } }), [
    'A session of planning, coding, testing and reporting can exceed its caps by at most one call of its model.',
  ]);
});

test('a cap on dollars is none for calls that cost none', () => {
  assert.equal(exceeding({ day: { usd: 5 } }, false), []);
});

test('without a cap nothing stops it, and that is said', () => {
  assert.is(homeWith([]).of(JOB).text.at(-1), 'No limit stops the job as a whole.');
});

test.run();
