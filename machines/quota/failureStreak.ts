import { shorten } from '../../src/base/text/clip.ts';
import type { AccountClosure, FailureStreak, QuotaContext, QuotaFailure } from './quotaContext.ts';
import { computeResetTime } from './closeForHit.ts';

/** A session that fails sooner than this has failed to start, ms. */
export const START_MS = 20_000;
/** Longest error that an account keeps, characters. */
const MAX_ERROR_CHARS = 300;

export const countFailureInRow = (
  { failing }: Pick<QuotaContext, 'failing'>,
  { job }: Pick<QuotaFailure, 'job'>,
): FailureStreak => ({
  count: (failing?.count ?? 0) + 1,
  job: failing?.job ?? job,
  others: failing !== undefined && (failing.others || failing.job !== job),
});

/**
 * Whether the account closes: the last allowed failure and not all of one job, or a failed probe of
 * an account closed for failures.
 */
export function mustCloseForFailures(
  context: Pick<QuotaContext, 'failing' | 'closed'>,
  failure: Pick<QuotaFailure, 'job' | 'park'>,
): boolean {
  if (failure.park === 0) return false;
  const { count, others } = countFailureInRow(context, failure);
  return context.closed?.kind === 'failing' || (others && count >= failure.park);
}

/** Closes the account for 15 minutes, doubling to 5 hours with each probe. */
export function closeForFailures(
  { closed, failures }: Pick<QuotaContext, 'closed' | 'failures'>,
  { error }: Pick<QuotaFailure, 'error'>,
  now: number,
): AccountClosure {
  return {
    kind: 'failing',
    window: null,
    until: computeResetTime({ kind: 'exhausted', resetsAt: null }, failures, now),
    since: closed?.since ?? now,
    error: shorten(error, MAX_ERROR_CHARS),
  };
}
