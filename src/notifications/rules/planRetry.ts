/** Wait after the first failed attempt in a row, ms; it doubles with each further one. */
export const FIRST_RETRY_MS = 15_000;
/** Longest wait that svc chooses, ms. */
export const LONGEST_RETRY_MS = 3_600_000;
/** Longest wait that a channel may ask for by Retry-After, ms. */
const LONGEST_ASKED_MS = 86_400_000;
/** A message that could not be delivered for this long is given up, ms: three days. */
export const GIVE_UP_AFTER_MS = 259_200_000;

/** When a channel is tried again after `failures` failed attempts in a row, epoch ms; `askedMs`: the wait that it asked for. */
export function planRetry(now: number, failures: number, askedMs: number | null): number {
  const own = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20), LONGEST_RETRY_MS);
  return now + Math.max(own, Math.min(askedMs ?? 0, LONGEST_ASKED_MS));
}

/** Retry-After (RFC 9110, section 10.2.3) as ms from `now`: seconds, or a date; null = none, or neither. */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
