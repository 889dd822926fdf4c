import { fields, text } from '../../lib/untrusted.ts';

/**
 * Statuses of an endpoint that takes no requests for a while: a limit is used up, or it has too
 * much to do.
 */
export const QUOTA_STATUS: ReadonlySet<number> = new Set([429, 529]);

/** The same in the words of agents that say no status. */
const WORDS =
  /\b(?:429|529)\b|rate[ _-]?limit|(?:usage|session|weekly|hourly|daily)[ _-]limit|limit[ _-](?:reached|exceeded)|quota[ _-]exceeded|exceeded your (?:current )?quota|resource[ _]exhausted|too[ _-]many[ _-]requests|overloaded/i;
/** Not these, though they hold such words. */
const OTHERS = /context|max_tokens|output limit/i;

/** Members in which agents put the status of an answer, and the time of a reset. */
const STATUSES = ['status', 'statusCode', 'code', 'api_error_status'];
const TIMES = ['resetsAt', 'resets_at', 'resetAt', 'reset_at'];
const WAITS_S = ['retryAfter', 'retry_after', 'retryAfterSeconds', 'resets_in_seconds'];

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
/** Epoch times below this are seconds: as milliseconds they would lie in 1970 to 2001. */
const FIRST_MS = 1_000_000_000_000;

/**
 * An epoch time in seconds or milliseconds, or an ISO date, as epoch ms; null for anything else.
 */
export function epochMs(value: unknown): number | null {
  const at =
    typeof value === 'string' && !/^\d+$/.test(value)
      ? Date.parse(value)
      : Number(value ?? Number.NaN);
  if (!Number.isFinite(at) || at <= 0) return null;
  return at < FIRST_MS && typeof value !== 'string'
    ? at * 1_000
    : /^\d{1,11}$/.test(String(value))
      ? at * 1_000
      : at;
}

/** `usage limit reached|1763800000`, `try again in 2h 30m`, `retry after 45 seconds`. */
function timeInWords(words: string, now: number): number | null {
  const [, epoch] = /limit[^|\n]{0,80}\|(\d{10,13})\b/i.exec(words) ?? [];
  if (epoch !== undefined) return epochMs(Number(epoch));
  const [, after] =
    /(?:try again|retry|resets?|available)(?: again)? (?:in|after) ((?:\d+(?:\.\d+)? ?[a-z]+[ ,]{0,2}){1,3})/i.exec(
      words,
    ) ?? [];
  const parts = [...(after ?? '').matchAll(/(\d+(?:\.\d+)?) ?([smhd])[a-z]*/gi)];
  const waitMs = parts.reduce(
    (sum, [, n, unit]) => sum + Number(n) * (UNITS_MS[(unit ?? '').toLowerCase()] ?? 0),
    0,
  );
  return waitMs > 0 ? now + waitMs : null;
}

/** An error with all that is nested in it, at most three deep. */
const layersOf = (error: unknown): Record<string, unknown>[] => {
  const outer = fields(error);
  const data = fields(outer.data);
  return [outer, data, fields(outer.error), fields(data.error), fields(data.details)];
};

/**
 * Reads from an agent's error whether its model's endpoint takes no requests for a while. Null =
 * something else is wrong. `words`: all that it says; `resetsAt`: epoch ms, null = it does not say.
 */
export function quotaIn(
  error: unknown,
  words: string,
  now: number,
): { resetsAt: number | null } | null {
  const layers = layersOf(error);
  const isStatus = layers.some((layer) =>
    STATUSES.some((name) => QUOTA_STATUS.has(Number(layer[name]))),
  );
  if (!isStatus && (!WORDS.test(words) || OTHERS.test(words))) return null;
  const at = layers
    .flatMap((layer) => TIMES.map((name) => epochMs(layer[name])))
    .find((time) => time !== null);
  const waits = layers.flatMap((layer) => WAITS_S.map((name) => Number(layer[name] ?? Number.NaN)));
  const wait = waits.find((seconds) => seconds > 0);
  return { resetsAt: at ?? (wait === undefined ? timeInWords(words, now) : now + wait * 1_000) };
}

/** The words of an error, for `quotaIn`. */
export const wordsIn = (error: unknown): string =>
  layersOf(error)
    .flatMap(({ message, details, type, data }) => [message, details, type, data].map(text))
    .join(' ');
