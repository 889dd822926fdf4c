import type { LabelledDecision } from '../../store/queries/decisionReader.ts';
import type { DecisionOutcome } from '../../../contract/schema/policy/decisionEntry.ts';
import type { RatedBy } from '../../../contract/schema/policy/trackRecord.ts';
import { listMissingProof } from './listMissingProof.ts';

/** Quantile of the normal distribution: 95 % lie above minus this. */
const Z = 1.6449;

/**
 * Lower bound of a share with 95 % confidence, by Wilson's interval. It is honest for small
 * numbers: 10 of 10 give 0.79. `of` must be above 0.
 */
export function computeWilsonBound(right: number, of: number): number {
  const share = right / of;
  const z2 = Z * Z;
  const centre = share + z2 / (2 * of);
  const spread = Z * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of * of));
  return Math.max(0, (centre - spread) / (1 + z2 / of));
}

/** The predicted probability that the work is good, and whether it was. */
interface Prediction {
  goal: number;
  good: boolean;
}

/** Mean squared error; 0 is best. null = no predictions. */
export const computeBrierScore = (predictions: readonly Prediction[]): number | null =>
  predictions.length === 0
    ? null
    : predictions.reduce((sum, { goal, good }) => sum + (goal - Number(good)) ** 2, 0) /
      predictions.length;

/** The score of always predicting the share of good work; null = no predictions. */
export function computeBaseRateScore(predictions: readonly Prediction[]): number | null {
  const share = predictions.filter(({ good }) => good).length / predictions.length;
  return predictions.length === 0 ? null : share * (1 - share);
}

/** The percentile at `part`, 0 to 1; null = no values. */
export function computePercentile(values: readonly number[], part: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? null;
}

const MAX_SKIP_REASONS = 10;

/** An answer of one provider and model at one place, with its outcome. */
export interface RatedDecision {
  decision: Pick<LabelledDecision['decision'], 'goal' | 'flag' | 'skipped' | 'ms'>;
  outcome: DecisionOutcome | null;
}

type TrackedDecider = Pick<RatedBy, 'site' | 'provider' | 'model' | 'digestVersion' | 'current'>;

function countSkipReasons(ratings: readonly RatedDecision[]): RatedBy['skips'] {
  const counts = new Map<string, number>();
  for (const { decision } of ratings)
    if (decision.skipped !== null)
      counts.set(decision.skipped, (counts.get(decision.skipped) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => ({ reason, count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_SKIP_REASONS);
}

/** The figures of a track record; null where there is no data. */
export function computeTrackFigures(
  same: TrackedDecider,
  ratings: readonly RatedDecision[],
): RatedBy {
  const answeredRatings = ratings.filter(({ decision }) => decision.skipped === null);
  const outcomes = answeredRatings.flatMap(({ decision: { goal, flag }, outcome }) =>
    outcome === null ? [] : [{ goal, flagged: flag !== null, good: outcome.verdict === 'good' }],
  );
  const flaggedOutcomes = outcomes.filter((one) => one.flagged);
  const bad = outcomes.filter(({ good }) => !good);
  const right = flaggedOutcomes.filter(({ good }) => !good).length;
  const predictions = outcomes.flatMap(({ goal, good }) => (goal === null ? [] : [{ goal, good }]));
  const times = answeredRatings.flatMap(({ decision: { ms } }) => (ms === null ? [] : [ms]));
  const figures = {
    ...same,
    asked: ratings.length,
    skipped: ratings.length - answeredRatings.length,
    skips: countSkipReasons(ratings),
    good: outcomes.length - bad.length,
    bad: bad.length,
    flags: answeredRatings.filter(({ decision }) => decision.flag !== null).length,
    flagsKnown: flaggedOutcomes.length,
    flagsRight: right,
    precision: flaggedOutcomes.length === 0 ? null : right / flaggedOutcomes.length,
    precisionBound:
      flaggedOutcomes.length === 0 ? null : computeWilsonBound(right, flaggedOutcomes.length),
    recall: bad.length === 0 ? null : right / bad.length,
    brier: computeBrierScore(predictions),
    baseBrier: computeBaseRateScore(predictions),
    p50: computePercentile(times, 0.5),
    p95: computePercentile(times, 0.95),
  };
  return { ...figures, missing: listMissingProof(figures) };
}
