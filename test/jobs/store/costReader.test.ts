import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CostPart } from '../../../src/base/spending/costParts.ts';
import { DAY_TABLES } from '../../../src/jobs/store/migrations/costDayMigration.ts';
import { COST_MIGRATION, COST_SUMS } from '../../../src/jobs/store/migrations/costMigration.ts';
import { CostReader } from '../../../src/jobs/store/queries/costReader.ts';
import type { CostFilter } from '../../../src/jobs/store/queries/costTables.ts';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { FeatureTables } from '../../../src/kernel/sqlite/featureTables.ts';
import { migrate } from '../../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../../../src/jobs/store/migrations/migrations.ts';
import { RowChanges } from '../../../src/kernel/sqlite/rowChanges.ts';
import { createRowReader } from '../../support/createRowReader.ts';
import type { Tables } from '../../../src/contract/records/tables.ts';
import { aCall } from './aCall.ts';

const test = suite('store: costs, read by hour');

type Call = Tables['usage_calls'];

const HOUR = 3_600_000;
/** The beginning of an hour. */
const START = Date.UTC(2026, 10, 20, 22);

function openLedger() {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS);
  const tables = new FeatureTables(db);
  const changes = new RowChanges(tables);
  const rows = createRowReader(db, tables);
  return {
    costs: new CostReader(db),
    put: (row: Call) => changes.carryOut(db, { op: 'put', table: 'usage_calls', row: { ...row } }),
    putCreator: (job_id: string, person: string) =>
      changes.carryOut(db, { op: 'put', table: 'job_creators', row: { job_id, person } }),
    patch: (key: Partial<Call>, set: Partial<Call>) =>
      changes.carryOut(db, { op: 'patch', table: 'usage_calls', key, set }),
    drop: (key: Partial<Call>) => changes.carryOut(db, { op: 'drop', table: 'usage_calls', key }),
    calls: () => rows.all('usage_calls'),
    hours: () => rows.all('usage_hours'),
    days: (table: string) => {
      const names = db
        .all('SELECT name FROM pragma_table_info(?)', table)
        .map(({ name }) => String(name))
        .filter((name) => name !== 'id' && name !== 'day');
      const summed: string[] = [...COST_SUMS, 'entries'];
      const keys = names.filter((name) => !summed.includes(name));
      const read = (sql: string) => db.all(`${sql} ORDER BY 1, ${keys.join(', ')}`);
      return {
        kept: read(`SELECT day, ${names.join(', ')} FROM ${table}`),
        counted: read(
          `SELECT hour / 24 AS day, ${names.map((name) => (summed.includes(name) ? `sum(${name}) AS ${name}` : name)).join(', ')} FROM usage_hours GROUP BY 1, ${keys.join(', ')}`,
        ),
      };
    },
  };
}

/** From 0 to below a number, the same in each run. */
function chances(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** A ledger after many calls came, changed and went. */
function busyLedger() {
  const ledger = openLedger();
  const chance = chances(23);
  for (let step = 0; step < 800; step += 1) {
    const key = { subject: `job-${chance(4)}`, visit: 1, session: 1, seq: 1 + chance(40) };
    const act = chance(10);
    if (act === 8) ledger.patch(key, { ms: chance(5_000), model: chance(2) === 0 ? null : 'b' });
    else if (act === 9) ledger.drop(key);
    else
      ledger.put(
        aCall({
          ...key,
          root: `job-${chance(2)}`,
          phase: chance(2) === 0 ? 'plan' : 'code',
          repository: chance(3) === 0 ? null : `repo-${chance(2)}`,
          // An empty name is another one than none.
          model: [null, '', 'a', 'b'][chance(4)] ?? null,
          at: START + chance(30 * HOUR),
          ms: chance(1_000),
          input_tokens: chance(100_000),
          cache_write_tokens: chance(100),
          micro_usd: chance(4) === 0 ? null : chance(1_000_000),
          source: (['none', 'estimated', 'reported'] as const)[chance(3)] ?? 'reported',
        }),
      );
  }
  return ledger;
}

const sumCalls = (calls: readonly Call[]) => {
  const sum = (value: (call: Call) => number) =>
    calls.reduce((total, call) => total + value(call), 0);
  return {
    microUsd: sum(({ micro_usd }) => micro_usd ?? 0),
    unpriced: sum(({ micro_usd }) => (micro_usd === null ? 1 : 0)),
    calls: sum(({ source }) => (source === 'none' ? 0 : 1)),
    estimated: sum(({ source }) => (source === 'estimated' ? 1 : 0)),
    sessions: sum(({ seq }) => (seq === 1 ? 1 : 0)),
    ms: sum(({ ms }) => ms),
    inputTokens: sum(({ input_tokens }) => input_tokens),
    outputTokens: sum(({ output_tokens }) => output_tokens),
    cachedInputTokens: sum(({ cached_input_tokens }) => cached_input_tokens),
    cacheWriteTokens: sum(({ cache_write_tokens }) => cache_write_tokens),
    reasoningTokens: sum(({ reasoning_tokens }) => reasoning_tokens),
    unreported: sum(({ source }) => (source === 'none' ? 1 : 0)),
  };
};

const isIn =
  ({ since = 0, until = Number.POSITIVE_INFINITY, job, model }: CostFilter) =>
  (call: Call): boolean =>
    call.at >= since &&
    call.at < until &&
    (job === undefined || call.subject === job) &&
    (model === undefined || call.model === model);

const PERIODS: readonly (readonly [says: string, filter: CostFilter])[] = [
  ['all of it', {}],
  ['a job', { job: 'job-1' }],
  ['a model', { model: 'a' }],
  ['from the beginning of an hour', { since: START + 3 * HOUR }],
  ['from within an hour', { since: START + 3 * HOUR + 1_234_567 }],
  ['until within an hour', { until: START + 20 * HOUR + 7 }],
  ['from and until within an hour', { since: START + 5 * HOUR - 1, until: START + 9 * HOUR + 1 }],
  ['within one hour', { since: START + 4 * HOUR + 5, until: START + 5 * HOUR - 5 }],
  ['over one full hour', { since: START + 4 * HOUR + 5, until: START + 5 * HOUR + 5 }],
  ['a job within an hour', { job: 'job-2', since: START + 4 * HOUR + 5 }],
  ['nothing', { since: START + 90 * HOUR }],
];

const ledger = busyLedger();

for (const [says, filter] of PERIODS)
  test(`the sum of ${says} is that of the ledger (JOB-11)`, async () => {
    assert.equal(await ledger.costs.sum(filter), sumCalls(ledger.calls().filter(isIn(filter))));
  });

const NAMES = {
  job: ({ subject }: Call) => subject,
  campaign: ({ root }: Call) => root,
  phase: ({ phase }: Call) => phase,
  repository: ({ repository }: Call) => repository,
  workflow: ({ workflow }: Call) => workflow,
  provider: ({ provider }: Call) => provider,
  model: ({ model }: Call) => model,
  day: ({ at }: Call) => new Date(at).toISOString().slice(0, 10),
};
const PARTS = Object.keys(NAMES) as (keyof typeof NAMES)[];
const FILTERS: readonly CostFilter[] = [
  {},
  { model: 'a' },
  { job: 'job-1' },
  { since: START + 1_234_567 },
  { since: START + 1_234_567, until: START + 27 * HOUR + 5 },
];

for (const one of PARTS)
  for (const other of PARTS.slice(PARTS.indexOf(one)))
    test(`rows by ${one} and ${other} are split as the ledger is (JOB-11)`, async () => {
      const by = [...new Set([one, other])];
      for (const filter of FILTERS) {
        const groups = new Map<string, Call[]>();
        for (const call of ledger.calls().filter(isIn(filter))) {
          const keys = JSON.stringify(by.map((part) => NAMES[part](call)));
          groups.set(keys, [...(groups.get(keys) ?? []), call]);
        }
        const { rows, total, sum } = await ledger.costs.read(by, filter, { limit: 900, offset: 0 });
        const entries = rows.map(({ keys, ...own }) => [JSON.stringify(keys), own] as const);
        assert.equal(
          new Map([...entries].sort()),
          new Map([...groups].map(([keys, calls]) => [keys, sumCalls(calls)] as const).sort()),
        );
        assert.is(total, groups.size);
        assert.equal(sum, sumCalls([...groups.values()].flat()));
      }
    });

test('days come in their order, other rows by their cost', async () => {
  const read = async (by: CostPart[]) =>
    (await ledger.costs.read(by, {}, { limit: 900, offset: 0 })).rows;
  const days = (await read(['day'])).map(({ keys }) => String(keys[0]));
  assert.equal(days, [...days].sort());
  const costs = (await read(['job', 'phase'])).map(({ microUsd }) => microUsd);
  assert.equal(
    costs,
    [...costs].sort((a, b) => b - a),
  );
});

test('a page is a part of all rows', async () => {
  const all = await ledger.costs.read(['job', 'model'], {}, { limit: 900, offset: 0 });
  const page = await ledger.costs.read(['job', 'model'], {}, { limit: 3, offset: 2 });
  assert.equal(page.rows, all.rows.slice(2, 5));
  assert.is(page.total, all.total);
});

for (const table of DAY_TABLES)
  test(`${table} are the hours by day, after every change`, () => {
    const { kept, counted } = ledger.days(table);
    assert.equal(kept, counted);
    assert.ok(kept.length > 0);
  });

test('a page of more groups than are ordered at once has the highest costs of all', async () => {
  const { costs, put } = openLedger();
  const jobs = 1_200;
  for (let n = 0; n < jobs; n += 1)
    put(aCall({ subject: `job-${n}`, root: `job-${n}`, micro_usd: 1 + ((n * 7) % jobs) }));
  const { rows, total } = await costs.read(['job'], {}, { limit: 3, offset: 2 });
  assert.is(total, jobs);
  assert.equal(
    rows.map(({ microUsd }) => microUsd),
    [jobs - 2, jobs - 3, jobs - 4],
  );
});

test('an hour without calls has no row', () => {
  assert.ok(ledger.hours().every(({ entries }) => entries > 0));
  assert.is(
    ledger.hours().reduce((sum, { entries }) => sum + entries, 0),
    ledger.calls().length,
  );
});

test('a person has what their jobs cost with all sub-runs; what no one is known for has no name', async () => {
  const { put, putCreator, costs } = openLedger();
  putCreator('job-1', 'Ada');
  put(aCall({ micro_usd: 30 }));
  put(aCall({ subject: 'part-1', micro_usd: 12 }));
  put(aCall({ subject: 'job-2', root: 'job-2', micro_usd: 5 }));
  for (const filter of [{}, { model: 'm' }]) {
    const { rows } = await costs.read(['person'], filter, { limit: 9, offset: 0 });
    assert.equal(
      rows.map(({ keys, microUsd }) => [...keys, microUsd]),
      [
        ['Ada', 42],
        [null, 5],
      ],
    );
  }
});

test('what was in the ledger before is in it by hour', async () => {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS.slice(0, MIGRATIONS.indexOf(COST_MIGRATION)));
  const tables = new FeatureTables(db);
  const changes = new RowChanges(tables);
  const put = (row: Call) =>
    changes.carryOut(db, { op: 'put', table: 'usage_calls', row: { ...row } });
  const calls = [aCall({ at: START }), aCall({ seq: 2, at: START + 5, model: null })];
  calls.push(aCall({ seq: 3, at: START + 9, model: null, micro_usd: null }));
  calls.forEach(put);
  migrate(db, MIGRATIONS);
  assert.equal(await new CostReader(db).sum({}), sumCalls(calls));
  const { total } = await new CostReader(db).read(['model'], {}, { limit: 1, offset: 0 });
  assert.is(total, 2);
});

test.run();
