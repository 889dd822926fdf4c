import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DecisionOutcome } from '../../../../src/contract/schema/policy/decisionEntry.ts';
import {
  computeTrackFigures,
  computeBaseRateScore,
  computeBrierScore,
  computePercentile,
  computeWilsonBound,
  type RatedDecision,
} from '../../../../src/jobs/views/ratings/computeTrackFigures.ts';

const test = suite('scores of ratings');

const SAME = {
  site: 'overseer',
  provider: 'rules',
  model: 'decider-1.13.0',
  digestVersion: 1,
  current: true,
} as const;

/** So many records of one kind. */
const records = (
  count: number,
  { goal = 0.1, flag = 'off track', ms = 100, skipped = null }: Partial<RatedDecision['decision']>,
  verdict: DecisionOutcome['verdict'] | null,
): RatedDecision[] =>
  Array.from({ length: count }, () => ({
    decision: { goal, flag, ms, skipped },
    outcome: verdict && { verdict, why: 'thumbs' },
  }));

for (const [right, of, bound] of [
  [10, 10, '0.79'],
  [18, 20, '0.74'],
  [27, 30, '0.77'],
  [45, 50, '0.81'],
  [24, 30, '0.66'],
] as const)
  test(`of ${right} right of ${of}, ${bound} are so for sure (UI-5)`, () => {
    assert.is(computeWilsonBound(right, of).toFixed(2), bound);
  });

test('none right is a bound of 0', () => assert.is(computeWilsonBound(0, 5), 0));

test('sure and right is an error of 0', () => {
  const sure = [
    { goal: 1, good: true },
    { goal: 0, good: false },
  ];
  assert.is(computeBrierScore(sure), 0);
});

test('the base rate knows the share alone', () => {
  const half = [
    { goal: 1, good: true },
    { goal: 0, good: false },
  ];
  assert.is(computeBaseRateScore(half), 0.25);
});

test('95 of 100 values are within the 95th percentile', () => {
  const values = Array.from({ length: 100 }, (_, n) => n + 1);
  assert.is(computePercentile(values, 0.95), 95);
});

test('without a rating every figure is unknown', () => {
  const { precision, precisionBound, recall, brier, baseBrier, p95 } = computeTrackFigures(
    SAME,
    [],
  );
  assert.equal(
    [precision, precisionBound, recall, brier, baseBrier, p95],
    [null, null, null, null, null, null],
  );
});

const PROVEN = [...records(20, {}, 'bad'), ...records(20, { goal: 0.9, flag: null }, 'good')];

test('20 right flags that say more than the base rate, in time, are proven (UI-5)', () => {
  assert.equal(computeTrackFigures(SAME, PROVEN).missing, []);
});

test('a flag whose outcome is not known counts neither way', () => {
  const { flags, flagsKnown, precision } = computeTrackFigures(SAME, [
    ...PROVEN,
    ...records(5, {}, null),
  ]);
  assert.equal([flags, flagsKnown, precision], [25, 20, 1]);
});

for (const [what, judged, missing] of [
  ['19 known flags', PROVEN.slice(1), /^20 flags with a known outcome are needed; 19 so far\.$/],
  ['flags that are wrong', [...PROVEN, ...records(8, {}, 'good')], /70 % of its flags/],
  ['a slow provider', [...PROVEN, ...records(5, { ms: 1_401 }, null)], /within 1400 ms/],
  [
    'skips',
    [...PROVEN, ...records(3, { goal: null, flag: null, skipped: 'Slow.' }, null)],
    /At most 5 % .* 7 % did/,
  ],
  [
    'percentages that say nothing',
    [...records(20, { goal: 0.5 }, 'bad'), ...records(20, { goal: 0.5, flag: null }, 'good')],
    /must beat the baseline/,
  ],
] as const)
  test(`not proven: ${what}`, () => {
    assert.match(computeTrackFigures(SAME, judged).missing.join('\n'), missing);
  });

test('skips are counted by their reasons, the most frequent first', () => {
  const late = (count: number, skipped: string) =>
    records(count, { goal: null, flag: null, ms: null, skipped }, null);
  assert.equal(computeTrackFigures(SAME, [...late(1, 'Late.'), ...late(2, 'Refused.')]).skips, [
    { reason: 'Refused.', count: 2 },
    { reason: 'Late.', count: 1 },
  ]);
});

test.run();
