import type { QuotaHit, QuotaUse } from '../../src/base/agents/quotaKinds.ts';
import type { AccountClosure, QuotaContext } from './quotaContext.ts';

/** First wait without a time from the endpoint, ms; doubled after each failed probe. */
export const FIRST_QUOTA_WAIT_MS = 15 * 60_000;
/** Longest wait without a time from the endpoint, ms. */
export const LONGEST_QUOTA_WAIT_MS = 5 * 3_600_000;
/** A time further away than this is ignored as a mistake, ms. */
export const FURTHEST_RESET_MS = 31 * 24 * 3_600_000;
/**
 * Shortest wait after a probe met the limit at the endpoint's own reset time, ms; doubled by each
 * further one, since that time is unreliable.
 */
const FIRST_MISTRUST_MS = 60_000;
/** Delay after a reset before the probe, ms: the least, and the most added at random. */
const JITTER_MS = { least: 5_000, more: 25_000 };

/** Share of a window from which no new unattended job starts. */
export const HEADLESS_USE = 0.9;
/** Share of a window from which no phase starts. */
export const MOST_USE = 0.97;

/** Doubles the delay per time; bounds the exponent, because the count is unbounded. */
const doubleDelay = (ms: number, times: number): number => ms * 2 ** Math.min(times, 20);

/**
 * When an account at its limit is retried, epoch ms: at the endpoint's time if any, else after 15
 * minutes, doubling to 5 hours. `failures`: probes in a row that met the limit. Null for money:
 * only a person opens it.
 */
export function computeResetTime(
  { kind, resetsAt }: Pick<QuotaHit, 'kind' | 'resetsAt'>,
  failures: number,
  now: number,
): number | null {
  if (kind === 'billing') return null;
  const waitMs = resetsAt === null ? 0 : resetsAt - now;
  if (waitMs <= 0 || waitMs > FURTHEST_RESET_MS)
    return now + Math.min(doubleDelay(FIRST_QUOTA_WAIT_MS, failures), LONGEST_QUOTA_WAIT_MS);
  const least = failures === 0 ? 0 : doubleDelay(FIRST_MISTRUST_MS, failures - 1);
  return now + Math.max(Math.ceil(waitMs), Math.min(least, LONGEST_QUOTA_WAIT_MS));
}

/** When a reset is probed, epoch ms; `chance` (0 to 1) spreads the runners of an account. */
export const computeProbeTime = (until: number, chance: number): number =>
  Math.ceil(until + JITTER_MS.least + JITTER_MS.more * chance);

/** The account after a hit: the limit that ends last counts, and missing money outlasts all. */
export function closeForHit(
  { closed, failures }: Pick<QuotaContext, 'closed' | 'failures'>,
  hit: QuotaHit,
  now: number,
): AccountClosure {
  const until = computeResetTime(hit, failures, now);
  const { kind, window } = hit;
  if (closed !== null && closed.until === null) return closed;
  if (closed !== null && until !== null && (closed.until ?? 0) >= until) return closed;
  return { kind, window, until, since: closed?.since ?? now };
}

/** The used share of a window (0 to 1), if it still counts at that time. */
export function computeUsedShare(use: (QuotaUse & { at: number }) | null, now: number): number {
  if (use === null) return 0;
  const ends = use.resetsAt ?? use.at + FIRST_QUOTA_WAIT_MS;
  return now < ends ? use.used : 0;
}
