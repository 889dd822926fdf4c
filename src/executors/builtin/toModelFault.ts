import { toErrorMessage } from '../../base/errors/errors.ts';
import { boundText, replaceControlRuns } from '../../base/text/boundedText.ts';
import type { SessionFault } from '../../base/errors/sessionFaults.ts';
import { parseRetryAfterMs } from '../process/quota/times.ts';
import { AnswerError, type AnswerFailure } from './answerError.ts';
import { classifyAnswerError, type AnswerErrorClass } from './classifyAnswerError.ts';
import { MAX_REFUSAL_CHARS } from '../process/refusal/parseRefusal.ts';
import type { TooLong } from '../process/refusal/parseLengths.ts';
import type { BuiltinSettings } from './settings.ts';

export interface ModelFault extends AnswerErrorClass {
  /** HTTP status of a refusal; null after an answer had begun, or without one. */
  status: number | null;
  said: string;
  /** What came instead of an answer; null = nothing. */
  as: AnswerFailure['as'] | null;
  /** How long the endpoint asks to wait, ms; null = it does not say. */
  waitMs: number | null;
}

/** Zone of times of day in an endpoint's texts that name none. */
const ENDPOINT_ZONE = 'UTC';

/** The innermost cause: "fetch failed" alone explains nothing. */
function findRootCause(error: unknown): unknown {
  let root = error;
  for (let depth = 0; depth < 5 && root instanceof Error && root.cause instanceof Error; depth += 1)
    root = root.cause;
  return root;
}

/** Reads any error of a request. `requestTokens`: requested answer length, tokens; `now`: epoch ms. */
export function toModelFault(error: unknown, requestTokens: number, now: number): ModelFault {
  const root = findRootCause(error);
  if (!(root instanceof AnswerError)) {
    const message = replaceControlRuns(boundText(toErrorMessage(root), MAX_REFUSAL_CHARS));
    const fault = { kind: 'passing', tooLong: null, output: null, quota: null } as const;
    return { ...fault, status: null, said: message, as: null, waitMs: null };
  }
  const { unanswered, message } = root;
  const { as, status, headers, refusal } = unanswered;
  const fault = classifyAnswerError(unanswered, requestTokens, { now, zone: ENDPOINT_ZONE });
  const { quota } = fault;
  const waitMs =
    as === 'refusal' && quota?.resetsAt
      ? Math.max(0, quota.resetsAt - now)
      : parseRetryAfterMs(headers['retry-after'], now);
  const refusalText = as === 'other' ? message : refusal.words;
  return { ...fault, status: as === 'refusal' ? status : null, said: refusalText, as, waitMs };
}

const SETTINGS = 'plugins.installed.builtin.config';

/** Who asks the model: the advice about a fault depends on it. */
export type Asker = 'session' | 'chat';

const ADVICE: Readonly<Record<Asker, { shorten: string; model: string }>> = {
  session: {
    shorten: 'let the agent end its session with request_new_session',
    model: 'the model of the phase',
  },
  chat: { shorten: 'start a new chat from these findings', model: 'the model of the chat' },
};

interface FaultPlace {
  model: string;
  tries: number;
  asks: Asker;
  /** How often the conversation was shortened for this request. */
  folds: number;
}

const endWithPeriod = (words: string): string => (/[.!?…]$/.test(words) ? words : `${words}.`);

/** How long the conversation is, and may be, as far as the refusal says; empty = it does not. */
function formatTooLongSizes({ asked, window }: TooLong): string {
  const facts = [
    ...(asked === null ? [] : [`the request has ${asked}`]),
    ...(window === null ? [] : [`the context of the model has ${window}`]),
  ];
  return facts.length === 0 ? '' : ` In tokens: ${facts.join(', ')}.`;
}

export function formatModelFault(
  { status, said, tooLong, output, kind, as }: ModelFault,
  settings: BuiltinSettings,
  { model, tries, asks, folds }: FaultPlace,
): string {
  const words = said === '' ? 'it gives no reason' : said;
  const end = `${status === null ? '' : ` (${status})`}: ${words}`;
  const { shorten, model: where } = ADVICE[asks];
  if (tooLong !== null) {
    const attemptNote =
      folds === 0
        ? 'It has no answers of tools that can be folded'
        : `It was made shorter ${folds} ${folds === 1 ? 'time' : 'times'}, and what is left cannot be`;
    const set =
      tooLong.window === null
        ? `Set ${SETTINGS}.contextWindow to what it takes`
        : 'Start its server with a larger context';
    return `The conversation is longer than ${model} takes${endWithPeriod(end)}${formatTooLongSizes(tooLong)} ${attemptNote}. ${set}, choose one with a larger window for ${where}, or ${shorten}.`;
  }
  if (output !== null)
    return `The model endpoint refuses the length of the answer that is asked for${endWithPeriod(end)} Set ${SETTINGS}.maxOutputTokens to what ${model} takes.`;
  if (as === 'other')
    return `${endWithPeriod(said)} Check ${SETTINGS}.baseUrl, and what is between the runner and the endpoint, such as a proxy or a login.`;
  if (status === 401 || (status === 403 && kind === 'account'))
    return `The model endpoint ${settings.baseUrl} ${settings.apiKey === '' ? 'requires a key' : 'refuses the key'}${endWithPeriod(end)} Check ${SETTINGS}.apiKey; to replace it: svc config set ${SETTINGS}.apiKey - < key.txt`;
  if (status === 404) {
    return `The model endpoint does not know the model ${model}, or the address is wrong${endWithPeriod(end)} Check ${SETTINGS}.baseUrl and ${where}.`;
  }
  const after = kind === 'passing' && tries > 1 ? ` after ${tries} tries` : '';
  if (status === null)
    return `The model endpoint ${settings.baseUrl} gave no complete answer${after}: ${words}`;
  return `The model endpoint ${kind === 'passing' ? 'cannot answer now' : 'refuses the request'}${after}${end}`;
}

/** What a fault that ends a turn says about its session. */
export const toTurnFault = ({ kind }: ModelFault): SessionFault =>
  kind === 'passing' ? 'unreachable' : kind === 'account' ? 'refused' : 'request-refused';
