import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CostReader } from '../../../src/jobs/store/queries/costReader.ts';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { FeatureTables } from '../../../src/kernel/sqlite/featureTables.ts';
import { migrate } from '../../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../../../src/jobs/store/migrations/migrations.ts';
import { RowChanges } from '../../../src/kernel/sqlite/rowChanges.ts';
import { createRowReader } from '../../support/createRowReader.ts';
import { StatisticsReader } from '../../../src/jobs/store/queries/statisticsReader.ts';
import type { Tables } from '../../../src/contract/records/tables.ts';
import { aCall, SUNDAY } from './aCall.ts';

const test = suite('store: sums of the ledger are bounded');

const MOST = Number.MAX_SAFE_INTEGER;
/** A call as large as a column can hold, which no report can be any more. */
const HUGE = aCall({
  input_tokens: MOST,
  output_tokens: MOST,
  cached_input_tokens: MOST,
  cache_write_tokens: MOST,
  reasoning_tokens: MOST,
  micro_usd: MOST,
  ms: MOST,
});
const KEY = { subject: 'job-1', visit: 1, session: 1 };

function openLedger() {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS);
  const tables = new FeatureTables(db);
  const changes = new RowChanges(tables);
  const rows = createRowReader(db, tables);
  return {
    db,
    rows,
    put: (call: Tables['usage_calls']) =>
      changes.carryOut(db, { op: 'put', table: 'usage_calls', row: { ...call } }),
    patch: (seq: number, set: Partial<Tables['usage_calls']>) =>
      changes.carryOut(db, { op: 'patch', table: 'usage_calls', key: { ...KEY, seq }, set }),
    drop: (seq: number) =>
      changes.carryOut(db, { op: 'drop', table: 'usage_calls', key: { ...KEY, seq } }),
    sum: () => rows.one('usage_sums', { scope: 'runner', key: '', window: '' }),
    hour: () => rows.one('usage_hours', { subject: 'job-1' }),
  };
}

test('one call of two largest numbers is a sum that can be read', () => {
  const ledger = openLedger();
  ledger.put(HUGE);
  assert.is(ledger.sum()?.tokens, MOST);
});

test('calls beyond the bound leave every sum at it', () => {
  const ledger = openLedger();
  for (const seq of [1, 2, 3]) ledger.put({ ...HUGE, seq });
  const { micro_usd, tokens, ms, calls } = ledger.sum() ?? {};
  assert.equal(
    { micro_usd, tokens, ms, calls },
    { micro_usd: MOST, tokens: MOST, ms: MOST, calls: 3 },
  );
});

test('the hours of the ledger stop at the bound as well', () => {
  const ledger = openLedger();
  for (const seq of [1, 2]) ledger.put({ ...HUGE, seq });
  const { input_tokens, output_tokens, micro_usd, entries } = ledger.hour() ?? {};
  assert.equal([input_tokens, output_tokens, micro_usd, entries], [MOST, MOST, MOST, 2]);
});

test('tokens of calls without a price stop at the bound', () => {
  const ledger = openLedger();
  for (const seq of [1, 2]) ledger.put({ ...HUGE, seq, micro_usd: null });
  const sum = ledger.rows.one('unpriced_sums', { scope: 'job', key: 'job-1', window: '' });
  assert.equal([sum?.input_tokens, sum?.output_tokens], [MOST, MOST]);
});

test('a sum that has reached the bound does not fall when one of its rows changes', () => {
  const ledger = openLedger();
  for (const seq of [1, 2]) ledger.put({ ...HUGE, seq });
  ledger.patch(2, { ms: 5 });
  ledger.drop(2);
  assert.equal([ledger.sum()?.tokens, ledger.hour()?.input_tokens], [MOST, MOST]);
});

test('a sum below the bound still follows its rows', () => {
  const ledger = openLedger();
  for (const seq of [1, 2]) ledger.put(aCall({ seq, micro_usd: null }));
  ledger.patch(1, { input_tokens: 50 });
  ledger.drop(2);
  const unpriced = ledger.rows.one('unpriced_sums', { scope: 'job', key: 'job-1', window: '' });
  assert.equal(
    [ledger.sum()?.tokens, ledger.hour()?.input_tokens, unpriced?.input_tokens],
    [60, 50, 50],
  );
});

test('costs over hours that are each at the bound are read', async () => {
  const ledger = openLedger();
  for (const seq of [1, 2]) ledger.put({ ...HUGE, seq, at: SUNDAY + seq * 3_600_000 });
  assert.is((await new CostReader(ledger.db).sum({})).inputTokens, MOST);
});

test('a thousand largest hours do not overflow SQLite either', async () => {
  const ledger = openLedger();
  for (let seq = 1; seq <= 1_100; seq++) ledger.put({ ...HUGE, seq, at: seq * 3_600_000 });
  assert.is((await new CostReader(ledger.db).sum({})).microUsd, MOST);
});

test('tokens of a day are read beyond the bound', () => {
  const { db } = openLedger();
  db.run(
    `INSERT INTO phase_visits (job_id, visit, phase, status, started_at, sessions) VALUES ('job-1', 1, 'coding', 'done', 0, 2)`,
  );
  db.run(
    `INSERT INTO job_list (job_id, kind, status, state, since, workflow, phase, title, created_at, text) VALUES ('job-1', 'job', 'done', 'working', 0, 'w', 'p', '', 0, '')`,
  );
  for (const session of [1, 2])
    db.run(
      'INSERT INTO token_usage (job_id, visit, session, phase, input_tokens, output_tokens, cached_input_tokens) VALUES (?, 1, ?, ?, ?, ?, 0)',
      'job-1',
      session,
      'coding',
      MOST,
      MOST,
    );
  const [, tokens] = new StatisticsReader(db).counts(0, 86_400_000);
  assert.equal(tokens, { kind: 'tokens', workflow: 'w', n: MOST, more: MOST });
});

test.run();
