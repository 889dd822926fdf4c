import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  computeCostShare,
  describeCostTrend,
  indexCostsBefore,
} from '../../ui/statistics/costTrend.ts';

const test = suite('ui statistics: how costs change');

const describe = (now: number | null, before: number | null) =>
  describeCostTrend(now, before)?.text ?? null;

test('a cost is compared with the period before, in percent or as a factor', () => {
  assert.equal(
    [describe(15, 10), describe(5, 10), describe(10, 10), describe(10.01, 10), describe(120, 10)],
    ['+50%', '-50%', 'same', 'same', '× 12'],
  );
  assert.is(describeCostTrend(5, 10)?.tone, 'down');
});

test('what cost nothing before is new; what is not known has no trend', () => {
  assert.equal(
    [describe(1, 0), describe(0, 0), describe(null, 1), describe(1, null)],
    ['new', null, null, null],
  );
});

test('a row that the period before does not have cost nothing then, unless not all rows are known', () => {
  const rows = [
    { keys: ['shop'], usd: 2 },
    { keys: ['web'], usd: null },
  ];
  const read = (total: number) =>
    ['shop', 'web', 'docs'].map((name) =>
      // Only what is read of a row.
      indexCostsBefore({ rows, total } as Parameters<typeof indexCostsBefore>[0])({ keys: [name] }),
    );
  assert.equal(read(2), [2, null, 0]);
  assert.equal(read(9), [2, null, null]);
});

test('a share is a part of what is known', () => {
  assert.equal(
    [
      computeCostShare({ usd: 1 }, { usd: 4 }),
      computeCostShare({ usd: null }, { usd: 4 }),
      computeCostShare({ usd: 0 }, { usd: 0 }),
    ],
    [0.25, null, null],
  );
});

test.run();
