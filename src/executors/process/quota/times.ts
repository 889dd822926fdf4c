import { LAST_TIME, toTime } from '../../../base/json/untrusted.ts';

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
/** Epoch times below this are seconds: as milliseconds they would lie in 1970 to 2001. */
const FIRST_MS = 1_000_000_000_000;

/**
 * An epoch time in seconds or milliseconds (number or digits), or a date, as epoch ms; null for
 * anything else.
 */
export function toEpochMs(value: unknown): number | null {
  const isDate = typeof value === 'string' && !/^\d+(\.\d+)?$/.test(value);
  const at = isDate ? Date.parse(value) : Number(value ?? Number.NaN);
  if (!Number.isFinite(at) || at <= 0) return null;
  return toTime(!isDate && at < FIRST_MS ? at * 1_000 : at);
}

/** `6m0s`, `644ms`, `5 days 22 hours 11 minutes`, `12`: a duration in ms; null for anything else. */
export function parseQuotaDurationMs(value: string): number | null {
  const plain = value.trim();
  if (/^\d+(\.\d+)?$/.test(plain)) return Number(plain) * 1_000;
  if (!/^(?:\d+(?:\.\d+)? ?[a-z]+[ ,.]*(?:and )?)+$/i.test(plain)) return null;
  let sum = 0;
  for (const [, n, word = ''] of plain.matchAll(/(\d+(?:\.\d+)?) ?([a-z]+)/gi)) {
    const unit = UNITS_MS[/^(ms|milli)/i.test(word) ? 'ms' : word.charAt(0).toLowerCase()];
    if (unit === undefined) return null;
    sum += Number(n) * unit;
  }
  return sum;
}

/** Value of Retry-After, in seconds or a date, as a wait in ms; null where it is neither. */
export function parseRetryAfterMs(value: string | undefined, now: number): number | null {
  if (value === undefined || value.trim() === '') return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.min(Math.max(0, seconds * 1_000), LAST_TIME);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

export const pickLatestTime = (times: readonly (number | null)[]): number | null =>
  times.reduce<number | null>(
    (last, time) => (time === null ? last : Math.max(last ?? time, time)),
    null,
  );
