import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { migrate } from '../../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../../../src/jobs/store/migrations/migrations.ts';
import { USAGE_MIGRATION } from '../../../src/jobs/store/migrations/usageMigration.ts';
import { RowChanges } from '../../../src/kernel/sqlite/rowChanges.ts';
import { createRowReader } from '../../support/createRowReader.ts';
import { FeatureTables } from '../../../src/kernel/sqlite/featureTables.ts';
import type { Tables } from '../../../src/contract/records/tables.ts';
import { aCall, SUNDAY } from './aCall.ts';

const test = suite('store: sums of the ledger');

type Call = Tables['usage_calls'];
type Sum = Tables['usage_sums'];

const DAY = 86_400_000;
function openLedger() {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS);
  const tables = new FeatureTables(db);
  const changes = new RowChanges(tables);
  const rows = createRowReader(db, tables);
  return {
    put: (call: Call) =>
      changes.carryOut(db, { op: 'put', table: 'usage_calls', row: { ...call } }),
    patch: (key: Partial<Call>, set: Partial<Call>) =>
      changes.carryOut(db, { op: 'patch', table: 'usage_calls', key, set }),
    drop: (key: Partial<Call>) => changes.carryOut(db, { op: 'drop', table: 'usage_calls', key }),
    sums: () =>
      rows.all('usage_sums').filter(({ calls, sessions, ms }) => calls + sessions + ms !== 0),
    calls: () => rows.all('usage_calls'),
  };
}

const monday = (at: number): string =>
  new Date(at - ((new Date(at).getUTCDay() + 6) % 7) * DAY).toISOString().slice(0, 10);

/** The same sums, counted from the rows without SQL. */
function recounted(calls: readonly Call[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const call of calls) {
    const { subject, visit, session, root, repository, at } = call;
    const places: Pick<Sum, 'scope' | 'key' | 'window'>[] = [
      { scope: 'session', key: `${subject}/${visit}.${session}`, window: '' },
      { scope: 'phase', key: `${subject}/${visit}`, window: '' },
      { scope: 'job', key: subject, window: '' },
      { scope: 'campaign', key: root, window: '' },
      { scope: 'day', key: '', window: new Date(at).toISOString().slice(0, 10) },
      { scope: 'week', key: '', window: monday(at) },
      { scope: 'runner', key: '', window: '' },
    ];
    if (repository !== null) places.push({ scope: 'repository', key: repository, window: '' });
    for (const place of places) {
      const key = JSON.stringify(place);
      const sum = sums.get(key) ?? {
        ...place,
        micro_usd: 0,
        tokens: 0,
        calls: 0,
        unpriced_calls: 0,
        sessions: 0,
        ms: 0,
      };
      sum.micro_usd += call.metered === 1 ? (call.micro_usd ?? 0) : 0;
      sum.tokens += call.input_tokens + call.output_tokens;
      sum.calls += call.source === 'none' ? 0 : 1;
      sum.unpriced_calls += call.micro_usd === null ? 1 : 0;
      sum.sessions += call.seq === 1 ? 1 : 0;
      sum.ms += call.ms;
      sums.set(key, sum);
    }
  }
  const order = ({ scope, key, window }: Sum) => `${scope}\0${key}\0${window}`;
  return [...sums.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

test('a call counts for its session, visit, job, campaign, repository, day, week and runner', () => {
  const ledger = openLedger();
  ledger.put(aCall({ root: 'campaign-1' }));
  assert.equal(
    ledger.sums().map(({ scope, key, window }) => [scope, key, window]),
    [
      ['campaign', 'campaign-1', ''],
      ['day', '', '2026-11-22'],
      ['job', 'job-1', ''],
      ['phase', 'job-1/1', ''],
      ['repository', 'shop', ''],
      ['runner', '', ''],
      ['session', 'job-1/1.1', ''],
      ['week', '', '2026-11-16'],
    ],
  );
});

test('days and weeks begin in UTC, weeks on Monday', () => {
  const ledger = openLedger();
  ledger.put(aCall({ at: SUNDAY + 60_000 }));
  const windows = ledger.sums().filter(({ window }) => window !== '');
  assert.equal(
    windows.map(({ window }) => window),
    ['2026-11-23', '2026-11-23'],
  );
});

test('a call whose price is not known counts as one, and adds no dollars', () => {
  const ledger = openLedger();
  ledger.put(aCall({ micro_usd: null }));
  const [sum] = ledger.sums();
  assert.is(sum?.unpriced_calls, 1);
  assert.is(sum?.micro_usd, 0);
});

test('a session without a report is a session, and no call', () => {
  const ledger = openLedger();
  ledger.put(aCall({ source: 'none', micro_usd: null, input_tokens: 0, output_tokens: 0 }));
  const [sum] = ledger.sums();
  assert.is(sum?.calls, 0);
  assert.is(sum?.sessions, 1);
});

test('calls of a job without a repository count for none', () => {
  const ledger = openLedger();
  ledger.put(aCall({ repository: null }));
  assert.not.ok(ledger.sums().some(({ scope }) => scope === 'repository'));
});

test('a row that is written twice counts once', () => {
  const ledger = openLedger();
  ledger.put(aCall());
  ledger.put(aCall());
  assert.equal(ledger.sums(), recounted([aCall()]));
});

test('sums are those of the rows after calls came, changed and went', () => {
  const ledger = openLedger();
  let state = 17;
  const chance = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  for (let step = 0; step < 600; step++) {
    const key = {
      subject: `job-${chance(5)}`,
      visit: 1 + chance(2),
      session: 1,
      seq: 1 + chance(6),
    };
    const act = chance(10);
    if (act < 7)
      ledger.put(
        aCall({
          ...key,
          root: `job-${chance(2)}`,
          repository: chance(3) === 0 ? null : `repo-${chance(2)}`,
          at: SUNDAY - chance(20) * DAY,
          ms: chance(1_000),
          input_tokens: chance(100_000),
          micro_usd: chance(4) === 0 ? null : chance(1_000_000),
          metered: chance(3) === 0 ? 0 : 1,
          source: chance(5) === 0 ? 'none' : 'reported',
        }),
      );
    else if (act < 9) ledger.patch(key, { ms: chance(5_000), root: `job-${chance(2)}` });
    else ledger.drop(key);
  }
  assert.ok(ledger.calls().length > 20);
  assert.equal(
    ledger.sums(),
    recounted(ledger.calls()).filter(({ calls, sessions, ms }) => calls + sessions + ms !== 0),
  );
});

test('sessions from before the ledger have a row whose model and cost are not known', () => {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS.slice(0, MIGRATIONS.indexOf(USAGE_MIGRATION)));
  const job = (id: string, parent: string | null) =>
    db.run(
      `INSERT INTO job_list (job_id, parent, kind, status, state, since, repo, workflow, phase, title, created_at, text)
       VALUES (?, ?, 'job', 'complete', 'complete', 0, 'shop', 'workflows/job.md', '', '', 5, '')`,
      id,
      parent,
    );
  job('top', null);
  job('middle', 'top');
  job('leaf', 'middle');
  db.run(
    "INSERT INTO token_usage (job_id, visit, session, phase, input_tokens, output_tokens, cached_input_tokens) VALUES ('leaf', 2, 1, 'coding', 70, 7, 3)",
  );
  migrate(db, MIGRATIONS);
  const [call] = db.all('SELECT * FROM usage_calls').map((row) => ({ ...row }));
  assert.equal(call, {
    ...aCall({
      subject: 'leaf',
      visit: 2,
      root: 'top',
      provider: null,
      model: null,
      at: 5,
      ms: 0,
      input_tokens: 70,
      output_tokens: 7,
      cached_input_tokens: 3,
      micro_usd: null,
    }),
  });
  const sum = db.get("SELECT * FROM usage_sums WHERE scope = 'campaign'");
  assert.is(sum?.key, 'top');
  assert.is(sum?.unpriced_calls, 1);
});

test.run();
