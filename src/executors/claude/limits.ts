import { type Fields, toFields, toStringOrEmpty } from '../../base/json/untrusted.ts';
import type { QuotaHit } from '../../base/agents/quotaKinds.ts';
import { readAgentQuota } from '../process/quota/readAgentQuota.ts';
import { LIMIT_STATUSES } from '../process/quota/readAnswerQuota.ts';
import { toEpochMs } from '../process/quota/times.ts';
import type { WordPlace } from '../process/quota/findLatestTimeInWords.ts';
import { toWindowName } from './readAccountUse.ts';

/** Longest sum of the program's own waits before its session is ended, ms. */
const LONGEST_WAIT_MS = 120_000;

/** The program's names for the endpoint's limits. */
const LIMITS = new Set(['rate_limit', 'overloaded']);

export interface Quota {
  error: string;
  hit: QuotaHit;
}

/** An answer was cut by a limit of which nothing else is known. */
const THROTTLED: QuotaHit = { kind: 'throttled', window: null, resetsAt: null };

function describeRetryCause({ error_status: status, error, no_response: silence }: Fields): string {
  const waitedMs = Number(toFields(silence).waited_ms);
  if (waitedMs > 0) return `did not begin to answer within ${Math.round(waitedMs / 1_000)} s`;
  if (typeof status === 'number') return `could not answer (${status})`;
  return `could not be reached, or broke off (${toStringOrEmpty(error) || 'no answer'})`;
}

/** Tracks the limits of the model's endpoint that the program reports, and its waits for them. */
export class Limits {
  readonly #place: () => WordPlace;
  /** Waits since the model's last answer, ms. */
  #waitedMs = 0;
  /** The last reported limit; null = none. */
  #refused: QuotaHit | null = null;
  /** Whether a limit cut the answer of this turn. */
  #isCut = false;

  constructor(place: () => WordPlace) {
    this.#place = place;
  }

  /** A line for people if the message reports a wait, and the quota if that wait is too long. */
  take(message: Fields): { line: string | null; quota: Quota | null } {
    const { type, subtype } = message;
    if (type === 'rate_limit_event') {
      const { status, resetsAt, rateLimitType } = toFields(message.rate_limit_info);
      this.#refused =
        status === 'rejected'
          ? {
              kind: 'exhausted',
              window: toWindowName(rateLimitType),
              resetsAt: toEpochMs(resetsAt),
            }
          : null;
    }
    if (type === 'assistant') {
      this.#isCut = LIMITS.has(toStringOrEmpty(message.error));
      if (!this.#isCut) this.#waitedMs = 0;
    }
    if (type === 'stream_event' && toFields(message.event).type === 'message_start')
      this.#waitedMs = 0;
    if (type !== 'system' || subtype !== 'api_retry') return { line: null, quota: null };
    const status = Number(message.error_status);
    const waitMs = Math.max(0, Number(message.retry_delay_ms) || 0);
    const tries = `try ${Number(message.attempt) + 1} of ${Number(message.max_retries) + 1} in ${Math.round(waitMs / 1_000)} s.`;
    if (!LIMIT_STATUSES.has(status))
      return {
        line: `The model's endpoint ${describeRetryCause(message)}; ${tries}`,
        quota: null,
      };
    this.#waitedMs += waitMs;
    const line = `The model's endpoint could not answer (${status}); ${tries}`;
    if (this.#waitedMs <= LONGEST_WAIT_MS) return { line, quota: null };
    const error = `The model's endpoint takes no requests (${status}) after ${Number(message.attempt)} tries.`;
    const waitUntil = waitMs > LONGEST_WAIT_MS ? this.#place().now + waitMs : null;
    const kind = status === 529 ? 'overloaded' : 'throttled';
    const hit = this.#refused ?? { kind, window: null, resetsAt: waitUntil };
    return { line: null, quota: { error, hit: { ...hit, resetsAt: hit.resetsAt ?? waitUntil } } };
  }

  /** The quota that ended a turn; null = none did. `text`: the text of its error. */
  takeTurnQuota(result: Fields, text: string): Quota | null {
    const isCut = this.#isCut;
    this.#isCut = false;
    if (result.is_error !== true) return null;
    const place = this.#place();
    const quotaHit = readAgentQuota(result, text, place) ?? (isCut ? THROTTLED : null);
    if (quotaHit === null) return null;
    const hit = quotaHit.kind === 'billing' ? quotaHit : { ...quotaHit, ...this.#refused };
    return { error: text, hit: { ...hit, resetsAt: hit.resetsAt ?? quotaHit.resetsAt } };
  }
}

/** Statuses that no further try changes. */
const REFUSED = [401, 403];

/** Advice where the endpoint refuses the key, or the login of a person; null where it does not. */
export function explainClaudeKeyRefusal(
  { type, subtype, error_status: status }: Fields,
  loginDir: string | null,
): string | null {
  if (type !== 'system' || subtype !== 'api_retry' || !REFUSED.includes(Number(status)))
    return null;
  return loginDir === null
    ? `The model's endpoint refuses the key (${status}). Check plugins.installed.claude.config.apiKey and plugins.installed.claude.config.baseUrl.`
    : `The model's endpoint refuses the login in ${loginDir} (${status}). Run claude and log in again.`;
}
