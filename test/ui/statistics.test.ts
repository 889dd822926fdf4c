import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isLabelled,
  pickAxisTop,
  formatWholePercent,
  formatChartDay,
  stackBarParts,
  sumBarParts,
} from '../../ui/statistics/chartShapes.ts';

const test = suite('ui statistics: shapes of charts');

test('an axis ends at a round number that holds every bar', () => {
  assert.equal(
    [0, 1, 3, 7, 12, 49, 100, 1_234].map(pickAxisTop),
    [1, 1, 5, 10, 20, 50, 100, 2_000],
  );
});

test('parts of a bar stand on each other and are as long as their share', () => {
  const bar = {
    label: 'a',
    parts: [
      { tone: 'good', says: 'complete', value: 6 },
      { tone: 'bad', says: 'failed', value: 2 },
    ],
  };
  assert.is(sumBarParts(bar), 8);
  assert.equal(
    stackBarParts(bar, 10).map(({ from, share }) => [from, share]),
    [
      [0, 0.6],
      [0.6, 0.2],
    ],
  );
});

test('labels are thinned out, and the last day has one', () => {
  const listLabelled = (count: number) =>
    Array.from({ length: count }, (_, n) => n).filter((n) => isLabelled(n, count, 8));
  assert.equal(listLabelled(7), [0, 1, 2, 3, 4, 5, 6]);
  assert.equal(listLabelled(30), [1, 5, 9, 13, 17, 21, 25, 29]);
});

test('days and shares are short', () => {
  assert.is(formatChartDay('2026-11-02'), '2 Nov');
  assert.is(formatWholePercent(2, 3), '67 %');
  assert.is(formatWholePercent(0, 0), '–');
});

test.run();
