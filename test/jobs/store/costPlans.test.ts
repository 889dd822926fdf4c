import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CostPart } from '../../../src/base/spending/costParts.ts';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { migrate } from '../../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../../../src/jobs/store/migrations/migrations.ts';
import { CostReader } from '../../../src/jobs/store/queries/costReader.ts';
import type { CostFilter } from '../../../src/jobs/store/queries/costTables.ts';
import type { SqlValue } from '../../../src/kernel/sqlite/toSqlValue.ts';

const test = suite('store: costs are read from the fewest rows');

/** What each statement of a question reads first, as SQLite plans it. */
async function explainCostQueries(by: CostPart[], filter: CostFilter): Promise<string[]> {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS);
  const plans = new Set<string>();
  const get = (sql: string, ...values: SqlValue[]) => {
    if (!sql.includes('max(id)'))
      for (const { detail } of db.all(`EXPLAIN QUERY PLAN ${sql}`, ...values))
        if (String(detail).includes('usage_'))
          plans.add(String(detail).replace('COVERING ', '').split(' (')[0] ?? '');
    if (sql.includes('json_group_array')) return { rows: '[]' };
    return sql.includes('max(id)') ? { last: 1 } : {};
  };
  await new CostReader(Object.assign(Object.create(db), { get })).read(by, filter, {
    limit: 1,
    offset: 0,
  });
  return [...plans];
}

const DAY = 86_400_000;
const RANGE = 'USING INTEGER PRIMARY KEY';
const SUBJECTS = `SEARCH usage_subject_days ${RANGE}`;
const PLACES = `SEARCH usage_place_days ${RANGE}`;
const HOURS = `SEARCH usage_hours ${RANGE}`;
const SUBJECTS_SINCE = 'SEARCH usage_subject_days USING INDEX usage_subject_days_key';
const HOURS_SINCE = 'SEARCH usage_hours USING INDEX usage_hours_hour';

const QUESTIONS: readonly [by: CostPart[], filter: CostFilter, reads: string[]][] = [
  [['job'], {}, [SUBJECTS]],
  [['campaign', 'day'], { since: DAY, until: 3 * DAY }, [SUBJECTS_SINCE]],
  [['person'], {}, [SUBJECTS]],
  [['model'], {}, [PLACES]],
  [['repository', 'day'], { workflow: 'w' }, [PLACES]],
  [['job'], { model: 'large' }, [HOURS]],
  [['job', 'phase'], {}, [HOURS]],
  [['job', 'phase'], { since: DAY }, [HOURS_SINCE]],
];

for (const [by, filter, reads] of QUESTIONS)
  test(`by ${by.join(' and ')} ${JSON.stringify(filter)}`, async () => {
    assert.equal(await explainCostQueries(by, filter), reads);
  });

test('a job is read by an index of jobs', async () => {
  assert.equal(await explainCostQueries(['phase'], { job: 'a' }), [
    'SEARCH usage_hours USING INDEX usage_hours_key',
  ]);
});

test('what is before and after whole days is read by hours, and the rest of an hour from the ledger', async () => {
  const plans = await explainCostQueries(['model'], { since: DAY + 1 });
  assert.ok(plans.some((plan) => plan.includes('usage_place_days')));
  assert.ok(plans.some((plan) => plan.includes('usage_hours')));
  assert.ok(plans.some((plan) => plan.includes('usage_calls_at')));
});

test.run();
