import { MIN_KNOWN_FLAGS } from '../../../base/agents/minKnownFlags.ts';
import type { RatedBy } from '../../../contract/schema/policy/trackRecord.ts';

/** What a model has to show before it counts as proven. */
export const PROVEN = {
  flags: MIN_KNOWN_FLAGS,
  /** Lower bound of the share of right flags. */
  precisionBound: 0.7,
  /** The 95th percentile of its answer time, ms. */
  p95: 1_400,
  /** Largest share of questions without an answer. */
  skips: 0.05,
} as const;

const formatSharePercent = (share: number): string => `${Math.round(share * 100)} %`;

/** What a model lacks to be proven, one sentence each; empty = nothing. */
export function listMissingProof({
  asked,
  skipped,
  flagsKnown,
  precisionBound,
  brier,
  baseBrier,
  p95,
}: Omit<RatedBy, 'missing'>): string[] {
  const missing: string[] = [];
  if (flagsKnown < PROVEN.flags)
    missing.push(`${PROVEN.flags} flags with a known outcome are needed; ${flagsKnown} so far.`);
  if (precisionBound !== null && precisionBound < PROVEN.precisionBound)
    missing.push(
      `At least ${formatSharePercent(PROVEN.precisionBound)} of its flags must be right (lower bound); so far ${formatSharePercent(precisionBound)}.`,
    );
  if (brier === null || baseBrier === null || brier >= baseBrier)
    missing.push(
      brier === null
        ? 'Its Brier score has no baseline yet: no outcome is known.'
        : 'Its Brier score must beat the baseline, and does not.',
    );
  if (p95 === null || p95 > PROVEN.p95)
    missing.push(
      `95 % of its answers must come within ${PROVEN.p95} ms; ${p95 === null ? 'none has come' : `it takes ${p95} ms`}.`,
    );
  if (asked > 0 && skipped / asked > PROVEN.skips)
    missing.push(
      `At most ${formatSharePercent(PROVEN.skips)} of questions may stay without an answer; ${formatSharePercent(skipped / asked)} did.`,
    );
  return missing;
}
