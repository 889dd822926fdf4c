import type { QuotaHit, QuotaKind } from '../../../base/agents/quotaKinds.ts';

/** A shorter limit is a throttle, a longer one is exhausted, ms. */
export const LONGEST_THROTTLE_MS = 5 * 60_000;

const BILLING_CODES = new Set([
  'insufficient_quota',
  'credit_balance_exhausted',
  'billing_hard_limit_reached',
  'billing_not_active',
  'billing_error',
  'enforced_spend_limit_reached',
]);
const BILLING_WORDS =
  /credit balance is too low|reached your (?:specified )?(?:workspace )?api usage limits|spend(?:ing)? limit|billing hard limit|insufficient[_ ](?:quota|credits?|funds|balance)|payment required/i;
/** OpenAI says this about money, Google about any limit. */
const PLAN_WORDS = /check your plan and billing details/i;
const GOOGLE = /ai\.google\.dev|generativelanguage|googleapis/i;

const OVERLOAD_CODES = new Set([
  'overloaded_error',
  'overloaded',
  'unavailable',
  'server_overloaded',
  '529',
]);
const OVERLOAD_WORDS =
  /overloaded|\b529\b|(?:no|at) capacity\b|experiencing high demand|engine is currently/i;

const LIMIT_CODES = new Set([
  '429',
  'rate_limit',
  'rate_limit_error',
  'rate_limit_exceeded',
  'usage_limit_reached',
  'usage_limit_exceeded',
  'resource_exhausted',
  'too_many_requests',
]);
const THROTTLE_WORDS =
  /\b429\b|rate[ _-]?limit|too[ _-]many[ _-]requests|temporarily limiting requests/i;
const USED_UP_WORDS =
  /(?:usage|session|weekly|hourly|daily|monthly|your)[ _-]limit|(?<!rate[ _-])limit[ _-](?:reached|exceeded)|usage exceeded|usagelimiterror|quota[ _-]exceeded|exceeded your (?:current )?quota|exhausted your|resource (?:has been )?exhausted|resource_exhausted|usage_limit/i;

/** `usage_limit_reached` of Codex; `FreeUsageLimitError` and `GoUsageLimitError` of opencode. */
const USED_UP_CODE = /^usage_limit|usagelimiterror$/;

/** These hold the same words but are not limits: no wait makes a request shorter. */
const OTHERS =
  /context (?:length|window|limit)|max_tokens|output limit|request too large|tokens must be reduced/i;

/** Names of limits by the window that their text names. */
const WINDOWS: readonly (readonly [RegExp, string])[] = [
  [/weekly|7[- ]day|seven[_ ]day/i, '7 days'],
  [/session limit|5[- ]hour|five[_ ]hour/i, '5 hours'],
  [/daily|per ?day|PerDay/i, 'day'],
  [/monthly|per month/i, 'month'],
  [/tokens per min|PerModelPerMinute|per ?minute/i, 'minute'],
];

export const findNamedWindow = (words: string): string | null =>
  WINDOWS.find(([pattern]) => pattern.test(words))?.[1] ?? null;

/** The kind of limit by codes and text, the more certain sign first. Null = no limit. */
export function classifyQuota(codes: readonly string[], text: string): QuotaKind | null {
  const words = text.replaceAll(/not your usage limit/gi, '');
  const has = (knownCodes: ReadonlySet<string>): boolean =>
    codes.some((code) => knownCodes.has(code));
  // The account is unpaid, even if a smaller request could still be paid.
  if (codes.includes('402')) return 'billing';
  if (OTHERS.test(words)) return null;
  if (has(BILLING_CODES) || BILLING_WORDS.test(words)) return 'billing';
  if (PLAN_WORDS.test(words) && !GOOGLE.test(words)) return 'billing';
  if (has(OVERLOAD_CODES)) return 'overloaded';
  if (USED_UP_WORDS.test(words) || codes.some((code) => USED_UP_CODE.test(code)))
    return 'exhausted';
  if (has(LIMIT_CODES) || THROTTLE_WORDS.test(words)) return 'throttled';
  return OVERLOAD_WORDS.test(words) ? 'overloaded' : null;
}

/** The hit, with its kind corrected by its time: minutes are a throttle, hours are not. */
export function toQuotaHit(
  kind: QuotaKind,
  window: string | null,
  resetsAt: number | null,
  now: number,
): QuotaHit {
  if (kind === 'billing') return { kind, window, resetsAt: null };
  if (kind === 'overloaded' || resetsAt === null) return { kind, window, resetsAt };
  const isShort = resetsAt - now <= LONGEST_THROTTLE_MS;
  return { kind: isShort ? 'throttled' : 'exhausted', window, resetsAt };
}
