/**
 * Wait where the endpoint names no time, ms; twice as long with each further park without progress.
 */
export const FIRST_QUOTA_WAIT_MS = 15 * 60_000;
/** Longest wait where the endpoint names no time, ms. */
export const LONGEST_QUOTA_WAIT_MS = 5 * 3_600_000;
/**
 * Shortest wait whatever the endpoint says, ms: it has just refused requests for longer than its
 * own short waits.
 */
export const SHORTEST_QUOTA_WAIT_MS = 60_000;
/** A time that is further away than this is taken for a mistake and counts as none, ms. */
export const FURTHEST_RESET_MS = 31 * 24 * 3_600_000;

/**
 * When a job whose model has a limit tries again, epoch ms: at the time that the endpoint names, or
 * after 15 minutes, doubling to 5 hours. A time that is no number, not in the future, or more than
 * 31 days away counts as none. `before`: parks in a row before this one.
 */
export function quotaUntil(now: number, resetsAt: number | null, before: number): number {
  const waitMs = resetsAt === null ? Number.NaN : resetsAt - now;
  if (waitMs > 0 && waitMs <= FURTHEST_RESET_MS)
    return now + Math.max(Math.ceil(waitMs), SHORTEST_QUOTA_WAIT_MS);
  // The exponent is bounded: a park count is not, and the limit is reached long before.
  return now + Math.min(FIRST_QUOTA_WAIT_MS * 2 ** Math.min(before, 10), LONGEST_QUOTA_WAIT_MS);
}

/** For people: why it waits, and until when. */
export const quotaText = (until: string, error: string | null): string =>
  `the model's endpoint takes no requests for a while; the job continues by itself at ${until.replace('T', ' ').slice(0, 16)} UTC${error === null ? '' : `: ${error}`}`;
