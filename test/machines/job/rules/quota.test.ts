import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { computeQuotaRetry } from '../../../../machines/job/rules/quota.ts';

const test = suite('until when a job waits for the quota of its model');

const NOW = Date.UTC(2026, 10, 22);
const MIN = 60_000;
const H = 60 * MIN;

test('the time that the endpoint names counts, a minute at least', () => {
  assert.equal(
    [300_000, 3 * H, 30 * 24 * H, 5_000, 0.4].map(
      (wait) => computeQuotaRetry(NOW, NOW + wait, 7) - NOW,
    ),
    [300_000, 3 * H, 30 * 24 * H, MIN, MIN],
  );
});

test('none given: 15 minutes, twice as long with each further park, at most 5 hours', () => {
  assert.equal(
    [0, 1, 2, 3, 4, 5, 6, 1_000].map(
      (before) => (computeQuotaRetry(NOW, null, before) - NOW) / MIN,
    ),
    [15, 30, 60, 120, 240, 300, 300, 300],
  );
});

test('a time in the past, more than 31 days away, or none at all counts as none given', () => {
  for (const resetsAt of [
    NOW,
    NOW - 1,
    0,
    -5,
    NOW + 32 * 24 * H,
    Number.MAX_VALUE,
    Number.POSITIVE_INFINITY,
    Number.NaN,
  ]) {
    assert.is(computeQuotaRetry(NOW, resetsAt, 0) - NOW, 15 * MIN, String(resetsAt));
  }
});

test.run();
