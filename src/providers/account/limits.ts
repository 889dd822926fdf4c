import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import { readTimeAt, toWholeNumber, toTime } from '../../base/json/untrusted.ts';

/** Wait after a secondary limit that names no time, as GitHub asks for: a minute. */
export const UNNAMED_WAIT_MS = 60_000;

const MINUTE_MS = 60_000;

/**
 * An answer whose body was read. Words in `text` say nothing about limits: anyone may have written
 * a diff or comment in it, and could stop the account. Only parsed members of errors count.
 */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Longest time to the end of a limit that is believed, ms: a day. The limits of forges and trackers
 * end within an hour; a time further away is wrong, and is ignored.
 */
export const LONGEST_LIMIT_MS = 86_400_000;

const readCountHeader = (headers: Headers, name: string): number | null => {
  const value = headers.get(name);
  return value !== null && /^\d+$/.test(value) ? toWholeNumber(Number(value)) : null;
};

/** When a limit ends, epoch ms: seconds or ms of a clock, or (Jira) ISO 8601. */
function readResetTime(headers: Headers, name: string, unitMs: number): number | null {
  const clock = readCountHeader(headers, name);
  if (clock !== null) return toTime(clock * unitMs);
  const text = headers.get(name);
  return text !== null && ISO.test(text) ? readTimeAt(text) : null;
}
const HTTP_DATE = /\d{4}.*\d\d:\d\d/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** The end of the limit that `X-RateLimit-Reset` names; null where it is more than a day away. */
function readBelievableReset(headers: Headers, now: number): number | null {
  const reset = readResetTime(headers, 'x-ratelimit-reset', 1000);
  return reset !== null && isBelievableReset({ resetsAt: reset }, now) ? reset : null;
}

interface AccountLimit {
  resource: string;
  limit: number;
  remaining: number;
  /** Epoch ms. */
  resetsAt: number;
}

/**
 * Headers of limits: GitHub, GitLab and others have one, with its end in seconds; Linear has two,
 * with their ends in ms.
 */
const LIMITS: readonly { prefix: string; resource: string | null; unitMs: number }[] = [
  { prefix: 'x-ratelimit', resource: null, unitMs: 1000 },
  { prefix: 'ratelimit', resource: 'core', unitMs: 1000 },
  { prefix: 'x-ratelimit-requests', resource: 'graphql', unitMs: 1 },
  { prefix: 'x-ratelimit-complexity', resource: 'complexity', unitMs: 1 },
];

/** Whether the end of a limit is near enough to be believed. */
export const isBelievableReset = (
  { resetsAt }: Pick<AccountLimit, 'resetsAt'>,
  now: number,
): boolean => resetsAt <= now + LONGEST_LIMIT_MS;

export const readAccountLimits = ({ headers }: Pick<Answer, 'headers'>): AccountLimit[] =>
  LIMITS.flatMap(({ prefix, resource, unitMs }) => {
    const [limit, remaining] = ['limit', 'remaining'].map((name) =>
      readCountHeader(headers, `${prefix}-${name}`),
    );
    const resetsAt = readResetTime(headers, `${prefix}-reset`, unitMs);
    if (limit == null || remaining == null || resetsAt === null) return [];
    return {
      resource: resource ?? headers.get('x-ratelimit-resource') ?? 'core',
      limit,
      remaining,
      resetsAt,
    };
  });

/**
 * Part of the limit that is assumed to be left where Bitbucket says that the limit is near; it
 * never says how much.
 */
const NEAR = 0.1;
/** How long "near" is believed, ms: the limit is for any hour, so it recedes all the time. */
const NEAR_MS = 5 * 60_000;

/**
 * Bitbucket's sign that less than a fifth of the limit is left, which is then kept for the runner.
 * For a server that also says when its limit ends (Jira, whose windows are short) it is about that
 * window.
 */
export function readNearLimit({ headers }: Pick<Answer, 'headers'>, now: number): AccountLimit[] {
  const limit = readCountHeader(headers, 'x-ratelimit-limit');
  if (limit === null || headers.get('x-ratelimit-nearlimit')?.toLowerCase() !== 'true') return [];
  const remainingCalls = readCountHeader(headers, 'x-ratelimit-remaining');
  const ends = readBelievableReset(headers, now);
  // Other headers of this answer already give the exact number and its end.
  if (remainingCalls !== null && ends !== null) return [];
  const remaining = remainingCalls ?? Math.floor(limit * NEAR);
  return [{ resource: 'core', limit, remaining, resetsAt: ends ?? now + NEAR_MS }];
}

const LIMIT_WORDS =
  /^(?:API rate limit (?:already )?exceeded|You have exceeded a secondary rate limit|You have triggered an abuse detection mechanism)/i;

const isLimitMessage = (message: unknown): boolean =>
  typeof message === 'string' && LIMIT_WORDS.test(message);

/** GitHub's words for content that comes too fast, in `errors` of a 422 or of GraphQL. */
const TOO_FAST = /^(?:[\w ]{1,40} )?was submitted too quickly\.?$/i;

function isTooFast(error: unknown): boolean {
  const { code, message = error } = Object(error);
  return code === 'abuse' || (typeof message === 'string' && TOO_FAST.test(message.trim()));
}

/**
 * GitHub's limit of content (comments, pull requests, reviews), which it reports as an invalid
 * request: nothing was made, and the same succeeds a minute later.
 */
function isContentLimitMessage({ status, text }: Answer): boolean {
  if (status !== 422 || !text.includes('"errors"')) return false;
  const { errors } = Object(parseJsonOrNull(text));
  return Array.isArray(errors) && errors.some(isTooFast);
}

const isLinearLimit = (word: unknown): boolean =>
  typeof word === 'string' && /^rate[ _]?limited$/i.test(word);

/**
 * GraphQL's errors about limits: GitHub's by type under status 200, Linear's by code under status
 * 400.
 */
function reportsGraphqlLimit(answer: unknown): boolean {
  const { errors } = Object(answer);
  if (!Array.isArray(errors)) return false;
  return errors.some((one: unknown) => {
    const { type, message, extensions } = Object(one);
    return (
      type === 'RATE_LIMITED' ||
      type === 'RATE_LIMIT' ||
      [Object(extensions).code, Object(extensions).type].some(isLinearLimit) ||
      isLimitMessage(message) ||
      isTooFast(one)
    );
  });
}

/**
 * Whether the end of a limit is a date without seconds, as Jira Cloud writes it: the limit may last
 * to the end of that minute.
 */
const isToTheMinute = (headers: Headers): boolean =>
  /T\d\d:\d\dZ$/.test(headers.get('x-ratelimit-reset') ?? '');

/**
 * The time that the header `Retry-After` names, epoch ms, not before `now`; null = it names none,
 * or one more than a day away.
 */
export function readRetryAt(headers: Headers, now: number): number | null {
  const retryAfter = headers.get('retry-after') ?? '';
  const at = /^\d+$/.test(retryAfter)
    ? now + Number(retryAfter) * 1000
    : HTTP_DATE.test(retryAfter)
      ? Date.parse(retryAfter)
      : Number.NaN;
  return at <= now + LONGEST_LIMIT_MS ? Math.max(at, now) : null;
}

/**
 * Until when the forge refuses requests because of a limit (epoch ms); null = it does not. Read
 * from status, headers and parsed errors alone, since anybody may have written the other text of an
 * answer. `isGraphql`: whether a question of GraphQL was asked.
 */
export function readRefusedUntil(answer: Answer, now: number, isGraphql = true): number | null {
  const { status, headers, text } = answer;
  const graphql =
    isGraphql &&
    (status === 200 || status === 400 || status === 403) &&
    text.includes('"errors"') &&
    reportsGraphqlLimit(parseJsonOrNull(text));
  const retryAfter = headers.get('retry-after');
  const isLimitText = status === 403 && isLimitMessage(Object(parseJsonOrNull(text)).message);
  const spent = readCountHeader(headers, 'x-ratelimit-remaining') === 0;
  // Jira Data Center names 0 seconds in every answer while requests are left.
  const asksToWait = retryAfter !== null && retryAfter !== '0';
  const isRefusal = status === 429 || isContentLimitMessage(answer);
  if (!graphql && !isRefusal && !(status === 403 && (asksToWait || spent || isLimitText)))
    return null;
  const retryAt = readRetryAt(headers, now);
  if (retryAt !== null) return retryAt;
  const reset = readBelievableReset(headers, now);
  const ends = readAccountLimits(answer)
    .filter((limit) => limit.remaining === 0 && isBelievableReset(limit, now))
    .map(({ resetsAt }) => resetsAt);
  // A date belongs to this refusal (Jira); a clock may be that of another limit (GitHub).
  const isOfThis = spent || ISO.test(headers.get('x-ratelimit-reset') ?? '');
  if (isOfThis && reset !== null) ends.push(isToTheMinute(headers) ? reset + MINUTE_MS : reset);
  return ends.length > 0 ? Math.max(...ends, now + 1000) : now + UNNAMED_WAIT_MS;
}
