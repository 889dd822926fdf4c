import type { QuotaHit } from '../../base/agents/quotaKinds.ts';
import { readAgentQuota } from '../process/quota/readAgentQuota.ts';
import { readAnswerQuota } from '../process/quota/readAnswerQuota.ts';
import type { WordPlace } from '../process/quota/findLatestTimeInWords.ts';
import type { AnswerFailure } from './answerError.ts';
import { parseOutputLimit, parseTooLong, type TooLong } from '../process/refusal/parseLengths.ts';
import type { Refusal } from '../process/refusal/parseRefusal.ts';

/**
 * What an unanswered request means. `passing`: trying again may help. `account`: every request of
 * the account fails likewise. `request`: only this one is refused.
 */
export type FaultKind = 'passing' | 'account' | 'request';

export interface AnswerErrorClass {
  kind: FaultKind;
  /** Set when the conversation is longer than the model takes; null = it is not. */
  tooLong: TooLong | null;
  /** The answer length to ask for, when the requested one is too long; null = it is not. */
  output: number | null;
  /** The endpoint's limit that was reached, or its overload; null = neither. */
  quota: QuotaHit | null;
}

const PASSING: ReadonlySet<number> = new Set([408, 409, 425, 429]);
const OF_ACCOUNT: ReadonlySet<number> = new Set([401, 402, 403, 407, 511]);
const NOT_IMPLEMENTED = 501;
/** A 403 that is about what is in the request. */
const OF_CONTENT = /moderation|flagged|content[ _-]?(?:policy|filter)|safety|data_inspection/i;
/** A limit per time that no request of this length fits in: waiting does not help. */
const NEVER_FITS = /request too large|tokens must be reduced/i;

/** Statuses by error name within an answer; letters only, lower case. */
const NAMES: readonly (readonly [RegExp, number])[] = [
  [/^overloaded/, 529],
  [/^(?:ratelimit|toomanyrequests|resourceexhausted|insufficientquota|throttling)/, 429],
  [/^(?:billing|paymentrequired)/, 402],
  [/^requesttoolarge/, 413],
  [/^(?:authentication|unauthenticated|unauthorized|invalidapikey)/, 401],
  [/^(?:permission|forbidden|accessdenied)/, 403],
  [/notfound/, 404],
  [/^(?:invalid|badrequest|validation|unprocessable|unsupported|content|datainspection)/, 400],
  [/timeout|deadline/, 504],
  [/unavailable/, 503],
  [/connection/, 502],
  [/^(?:api|server|internal)/, 500],
];

/** The status that the same error would have had before the answer began. */
function deriveErrorStatus({ codes }: Refusal): number {
  const status = codes.find((code) => /^[45]\d\d$/.test(code));
  if (status !== undefined) return Number(status);
  for (const code of codes) {
    const name = code.replaceAll(/[^a-z]/g, '');
    const knownError = NAMES.find(([pattern]) => pattern.test(name));
    if (knownError) return knownError[1];
  }
  // The answer had begun: an unnamed failure is the server's.
  return 500;
}

function classifyFaultStatus(status: number, words: string, quota: QuotaHit | null): FaultKind {
  if (quota?.kind === 'billing') return 'account';
  if (status === 403 && OF_CONTENT.test(words)) return 'request';
  if (OF_ACCOUNT.has(status)) return 'account';
  return PASSING.has(status) || (status >= 500 && status !== NOT_IMPLEMENTED)
    ? 'passing'
    : 'request';
}

/** Classifies the error that a model server returned instead of an answer. `requestTokens`: requested answer length, tokens. */
export function classifyAnswerError(
  { as, status: givenStatus, headers, body, refusal }: AnswerFailure,
  requestTokens: number,
  place: WordPlace,
): AnswerErrorClass {
  const { words, codes } = refusal;
  if (as === 'other')
    // A page, or the text of a server that serves no model; an empty answer is a broken connection.
    return { kind: words === '' ? 'passing' : 'account', tooLong: null, output: null, quota: null };
  const status = as === 'stream' ? deriveErrorStatus(refusal) : givenStatus;
  const quota =
    as === 'stream'
      ? readAgentQuota(body, `${codes.join(' ')} ${words}`, place)
      : readAnswerQuota({ status, headers, body }, place);
  const isOfAccount = status === 401 || status === 402 || status === 407;
  const isLimit = status === 429 && !NEVER_FITS.test(words);
  const output = isOfAccount || isLimit ? null : parseOutputLimit(refusal, requestTokens);
  const tooLong = isOfAccount || isLimit || output !== null ? null : parseTooLong(refusal, status);
  const isLength = output !== null || tooLong !== null;
  return {
    kind: isLength ? 'request' : classifyFaultStatus(status, `${codes.join(' ')} ${words}`, quota),
    tooLong,
    output,
    quota: isLength ? null : quota,
  };
}
