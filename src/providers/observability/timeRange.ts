import { SvcError } from '../../base/errors/errors.ts';

export interface TimeWords {
  /** How far before the end, such as `30m`, `1h`, `2d`; default 1h. Not together with `start`. */
  since?: string | undefined;
  /** ISO 8601, epoch seconds to nanoseconds, `now`, or `now-1h`. */
  start?: string | undefined;
  /** In the same forms; default now. */
  end?: string | undefined;
}

/** Nanoseconds since the epoch; `end` itself is not part of it. */
export interface TimeRange {
  start: bigint;
  end: bigint;
}

const DEFAULT_SINCE = '1h';
const NS_IN_MS = 1_000_000n;
const UNIT_NS: Readonly<Record<string, bigint>> = {
  ms: NS_IN_MS,
  s: 1_000n * NS_IN_MS,
  m: 60_000n * NS_IN_MS,
  h: 3_600_000n * NS_IN_MS,
  d: 86_400_000n * NS_IN_MS,
  w: 604_800_000n * NS_IN_MS,
};
/** Factor to nanoseconds by the number of digits of an epoch time. */
const EPOCH_NS: Readonly<Record<number, bigint>> = {
  10: 1_000n * NS_IN_MS,
  13: NS_IN_MS,
  16: 1_000n,
  19: 1n,
};

const createTimeError = (field: string, value: string, rule: string): SvcError =>
  new SvcError('bad-argument', `${field} ${JSON.stringify(value.slice(0, 60))} ${rule}`);

const parseDurationNs = (text: string): bigint | null => {
  const [, count, unit = ''] = /^(\d{1,9})(ms|s|m|h|d|w)$/.exec(text) ?? [];
  return count === undefined ? null : BigInt(count) * (UNIT_NS[unit] ?? 0n);
};

function parseInstant(field: string, text: string, now: bigint): bigint {
  if (text === 'now') return now;
  const back = text.startsWith('now-') ? parseDurationNs(text.slice(4)) : null;
  if (back !== null) return now - back;
  const factor = /^\d+$/.test(text) ? EPOCH_NS[text.length] : undefined;
  if (factor !== undefined) return BigInt(text) * factor;
  // A date without a zone would mean something else on every machine.
  const date = /^\d{4}-\d\d-\d\d(T.*(Z|[+-]\d\d:?\d\d))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isFinite(date)) return BigInt(date) * NS_IN_MS;
  throw createTimeError(
    field,
    text,
    'is not a time: give 2026-01-31T12:00:00Z, epoch seconds, "now" or "now-1h".',
  );
}

/**
 * The range that a call means; `nowMs` is epoch ms. Throws SvcError `bad-argument` that says how to
 * write it.
 */
export function resolveTimeRange({ since, start, end }: TimeWords, nowMs: number): TimeRange {
  const now = BigInt(nowMs) * NS_IN_MS;
  if (since !== undefined && start !== undefined)
    throw new SvcError(
      'bad-argument',
      'Give since or start, not both: each sets the start of the time range.',
    );
  const to = end === undefined ? now : parseInstant('end', end, now);
  const back = parseDurationNs(since ?? DEFAULT_SINCE);
  if (back === null)
    throw createTimeError(
      'since',
      since ?? '',
      'is not a duration: give a number and ms, s, m, h, d or w, such as 30m.',
    );
  const from = start === undefined ? to - back : parseInstant('start', start, now);
  if (from >= to)
    throw new SvcError(
      'bad-argument',
      `The time range is empty: it begins at ${toIsoNanoseconds(from)} and ends at ${toIsoNanoseconds(to)}.`,
    );
  return { start: from, end: to };
}

export function toIsoNanoseconds(ns: bigint): string {
  const [date, rest] = [new Date(Number(ns / NS_IN_MS)).toISOString(), ns % NS_IN_MS];
  return rest === 0n ? date : date.replace('Z', `${String(rest).padStart(6, '0')}Z`);
}
