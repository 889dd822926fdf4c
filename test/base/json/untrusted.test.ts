import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  compareDates,
  toRoundedCount,
  LAST_TIME,
  readNumberAt,
  readTimeAt,
  toIsoDate,
} from '../../../src/base/json/untrusted.ts';

const test = suite('numbers and dates in JSON from outside');

const NO_NUMBERS = [
  -1,
  0.4,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 53,
  '12',
  null,
  {},
  [],
  true,
];

for (const value of NO_NUMBERS)
  test(`${JSON.stringify(value)} is no number of a pull request`, () => {
    assert.is(readNumberAt({ number: value }, 'number'), null);
  });

test('a whole number is one', () => {
  assert.is(readNumberAt({ number: 7 }, 'number'), 7);
});

test('a count is never more than can be counted', () => {
  assert.is(toRoundedCount(Number.POSITIVE_INFINITY), Number.MAX_SAFE_INTEGER);
});

for (const value of [
  -1,
  LAST_TIME + 1,
  Number.POSITIVE_INFINITY,
  Number.NaN,
  '',
  'soon',
  '+275760-09-13T00:00:00.001Z',
  null,
  {},
  true,
])
  test(`${JSON.stringify(value)} is no time`, () => {
    assert.is(readTimeAt({ at: value }, 'at'), null);
  });

test('a date is a time, in whole milliseconds', () => {
  assert.is(readTimeAt({ at: '2026-11-29T08:00:00Z' }, 'at'), Date.UTC(2026, 10, 29, 8));
  assert.is(readTimeAt({ at: 1_763_800_000_000.6 }, 'at'), 1_763_800_000_001);
});

test('a date that is none is shown as the first one, and does not throw', () => {
  assert.is(toIsoDate('yesterday'), '1970-01-01T00:00:00.000Z');
  assert.is(toIsoDate('2026-11-29T08:00:00Z'), '2026-11-29T08:00:00.000Z');
});

test('dates that are none are sorted before all others', () => {
  const dates = ['2026-11-29T08:00:00Z', 'never', '2025-01-01T00:00:00Z'];
  assert.equal(dates.toSorted(compareDates), [
    'never',
    '2025-01-01T00:00:00Z',
    '2026-11-29T08:00:00Z',
  ]);
});

test.run();
