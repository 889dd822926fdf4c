import { SvcError } from '../../../src/base/errors/errors.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Longest duration that one timer can wait, days. */
const LONGEST_DAYS = 24;
const DAY_MS = 86_400_000;

/**
 * Milliseconds of `90s`, `30m`, `2h`, `1d` or `500ms`. Throws SvcError `bad-argument` for anything
 * else and for more than `mostDays`.
 */
export function parseDurationMs(text: string, mostDays = LONGEST_DAYS): number {
  const [, count, unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim()) ?? [];
  const ms = Number(count) * (UNIT_MS[unit] ?? Number.NaN);
  if (ms > 0 && ms <= mostDays * DAY_MS) return ms;
  throw new SvcError(
    'bad-argument',
    `"${text}" is not a duration. Write a number and a unit: 90s, 30m or 2h, at most ${mostDays}d.`,
  );
}
