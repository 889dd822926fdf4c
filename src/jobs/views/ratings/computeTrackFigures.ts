import type { LabelledDecision } from '../../../kernel/sqlite/decisionReader.ts';
import type { DecisionOutcome } from '../../../contract/schema/policy/decisionEntry.ts';
import type { RatedBy } from '../../../contract/schema/policy/trackRecord.ts';
import {
  computeBaseRateScore,
  computeBrierScore,
  computePercentile,
  computeWilsonBound,
} from './scores.ts';
import { listMissingProof } from './listMissingProof.ts';

/** Most reasons of skips that are listed. */
const MAX_SKIP_REASONS = 10;

/** What one provider and model have answered at one place, with how it turned out. */
export interface RatedDecision {
  decision: Pick<LabelledDecision['decision'], 'goal' | 'flag' | 'skipped' | 'ms'>;
  outcome: DecisionOutcome | null;
}

type TrackedDecider = Pick<RatedBy, 'site' | 'provider' | 'model' | 'digestVersion' | 'current'>;

function countSkipReasons(judged: readonly RatedDecision[]): RatedBy['skips'] {
  const counts = new Map<string, number>();
  for (const { decision } of judged)
    if (decision.skipped !== null)
      counts.set(decision.skipped, (counts.get(decision.skipped) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => ({ reason, count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_SKIP_REASONS);
}

/** The figures of a track record; a figure without anything behind it is null. */
export function computeTrackFigures(
  same: TrackedDecider,
  judged: readonly RatedDecision[],
): RatedBy {
  const answered = judged.filter(({ decision }) => decision.skipped === null);
  const known = answered.flatMap(({ decision: { goal, flag }, outcome }) =>
    outcome === null ? [] : [{ goal, flagged: flag !== null, good: outcome.verdict === 'good' }],
  );
  const flagged = known.filter((one) => one.flagged);
  const bad = known.filter(({ good }) => !good);
  const right = flagged.filter(({ good }) => !good).length;
  const predictions = known.flatMap(({ goal, good }) => (goal === null ? [] : [{ goal, good }]));
  const times = answered.flatMap(({ decision: { ms } }) => (ms === null ? [] : [ms]));
  const figures = {
    ...same,
    asked: judged.length,
    skipped: judged.length - answered.length,
    skips: countSkipReasons(judged),
    good: known.length - bad.length,
    bad: bad.length,
    flags: answered.filter(({ decision }) => decision.flag !== null).length,
    flagsKnown: flagged.length,
    flagsRight: right,
    precision: flagged.length === 0 ? null : right / flagged.length,
    precisionBound: flagged.length === 0 ? null : computeWilsonBound(right, flagged.length),
    recall: bad.length === 0 ? null : right / bad.length,
    brier: computeBrierScore(predictions),
    baseBrier: computeBaseRateScore(predictions),
    p50: computePercentile(times, 0.5),
    p95: computePercentile(times, 0.95),
  };
  return { ...figures, missing: listMissingProof(figures) };
}
