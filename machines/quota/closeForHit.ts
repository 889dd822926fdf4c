import type { QuotaHit, QuotaUse } from '../../src/shared/agents/quotaKinds.ts';
import type { AccountClosure, QuotaContext } from './quotaContext.ts';

/** Wait where the endpoint names no time, ms; twice as long after each probe that meets it again. */
export const FIRST_QUOTA_WAIT_MS = 15 * 60_000;
/** Longest wait where the endpoint names no time, ms. */
export const LONGEST_QUOTA_WAIT_MS = 5 * 3_600_000;
/** A time that is further away than this is taken for a mistake and counts as none, ms. */
export const FURTHEST_RESET_MS = 31 * 24 * 3_600_000;
/**
 * Shortest wait after a probe that met the limit at the time that the endpoint had named, ms;
 * doubled by each further one: that time is not to be trusted.
 */
const FIRST_MISTRUST_MS = 60_000;
/** Time after a reset before it is tried, ms: at least, and how much more by chance. */
const JITTER_MS = { least: 5_000, more: 25_000 };

/** No new job without a person starts when this much of a window is used. */
export const HEADLESS_USE = 0.9;
/** No phase starts when this much of a window is used. */
export const MOST_USE = 0.97;

/** Doubled with each; the exponent is bounded, because a count is not. */
const doubleDelay = (ms: number, times: number): number => ms * 2 ** Math.min(times, 20);

/**
 * When an account that has met a limit is tried again, epoch ms: at the time that the endpoint names,
 * however far, else after 15 minutes, doubling to 5 hours. `failures`: probes in a row that have
 * met the limit again. Null for money: only a person opens it.
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

/** When the probe of a reset begins, epoch ms: `chance` spreads the runners of an account. */
export const computeProbeTime = (until: number, chance: number): number =>
  Math.ceil(until + JITTER_MS.least + JITTER_MS.more * chance);

/** The account after a hit: of two limits the one that ends last counts, and money outlasts all. */
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

/** The part of a window that is used, as far as it still counts at a time. */
export function computeUsedShare(use: (QuotaUse & { at: number }) | null, now: number): number {
  if (use === null) return 0;
  const ends = use.resetsAt ?? use.at + FIRST_QUOTA_WAIT_MS;
  return now < ends ? use.used : 0;
}
