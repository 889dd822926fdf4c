import { messageOf } from '../../lib/errors.ts';
import type { QuotaHit } from '../../domain/quotaKinds.ts';
import { answerQuota } from '../process/quota/answerQuota.ts';
import { retryAfterMs } from '../process/quota/times.ts';
import { agentQuota } from '../process/quota/agentQuota.ts';
import type { BuiltinSettings } from './settings.ts';

/** What was wrong with a request to the model, as far as it is known. */
export interface ModelFault {
  /** HTTP status; null where there was no answer. */
  status: number | null;
  /** The endpoint's own words. */
  said: string;
  /** Trying again may help. */
  passing: boolean;
  /** The conversation is longer than the model takes. */
  tooLong: boolean;
  /** The endpoint's limit that was met, or that it has too much to do; null = neither. */
  quota: QuotaHit | null;
  /** How long the endpoint wants to be left alone, ms; null = it does not say. */
  waitMs: number | null;
}

/** Zone of times of day in the words of an endpoint that name none. */
const ENDPOINT_ZONE = 'UTC';
const PASSING_STATUS = new Set([408, 409, 425, 429]);
/** Errors in the middle of a stream have a word instead of a status. */
const PASSING_WORDS = /overloaded|rate_limit|api_error|server_error|timeout/i;
const TOO_LONG =
  /too long|context (length|window)|maximum context|exceeds? the (model|context)|too many tokens/i;

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

/** Headers as the provider has read them, their names in lower case. */
const headersOf = (headers: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldsOf(headers)).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name.toLowerCase(), value]] : [],
    ),
  );

/** The innermost reason: "fetch failed" says nothing, its cause does. */
function rootOf(error: unknown): unknown {
  let root = error;
  for (let depth = 0; depth < 5 && root instanceof Error && root.cause instanceof Error; depth += 1)
    root = root.cause;
  return root;
}

/** Reads whatever a request was failed with. `now`: epoch ms. */
export function modelFault(error: unknown, now: number): ModelFault {
  const { statusCode, responseHeaders, responseBody } = fieldsOf(error);
  const place = { now, zone: ENDPOINT_ZONE };
  const root = rootOf(error);
  const words = fieldsOf(error);
  const said =
    root instanceof Error
      ? messageOf(root)
      : typeof words.message === 'string'
        ? words.message
        : JSON.stringify(error);
  if (typeof statusCode === 'number' && statusCode !== 200) {
    const headers = headersOf(responseHeaders);
    const body = responseBody ?? said;
    const quota = answerQuota({ status: statusCode, headers, body }, place);
    const isTemporary = PASSING_STATUS.has(statusCode) || statusCode >= 500;
    const passing = isTemporary && quota?.kind !== 'billing';
    const tooLong = !isTemporary && TOO_LONG.test(said);
    const asked = retryAfterMs(headers['retry-after'], now);
    const waitMs = quota?.resetsAt ? Math.max(0, quota.resetsAt - now) : asked;
    return { status: statusCode, said, passing, tooLong, quota, waitMs };
  }
  const inStream = typeof words.type === 'string' || typeof words.code === 'string';
  const named = `${words.type} ${words.code}`;
  const passing = error instanceof Error || !inStream || PASSING_WORDS.test(named);
  const quota = inStream ? agentQuota(error, `${named} ${said}`, place) : null;
  return { status: null, said, passing, tooLong: false, quota, waitMs: null };
}

const SETTINGS = 'plugins.installed.builtin.config';

/** Who asks the model: what can be done about a fault depends on it. */
export type Asker = 'session' | 'chat';

/** What makes a conversation shorter, and where its model is chosen. */
const ADVICE: Readonly<Record<Asker, { shorten: string; model: string }>> = {
  session: {
    shorten: 'let the agent end its session with request_new_session',
    model: 'the model of the phase',
  },
  chat: { shorten: 'start a new chat from these findings', model: 'the model of the chat' },
};

/** A fault that ends the turn, as a message that says how to fix it. */
export function faultText(
  { status, said, tooLong, passing }: ModelFault,
  settings: BuiltinSettings,
  { model, tries, asks }: { model: string; tries: number; asks: Asker },
): string {
  const end = `${status === null ? '' : ` (${status})`}: ${said}`;
  if (tooLong) {
    return `The conversation is longer than ${model} takes${end}. Set ${SETTINGS}.contextWindow to what it takes, or ${ADVICE[asks].shorten}.`;
  }
  if (status === 401 || status === 403)
    return `The model endpoint refuses the key${end}. Check ${SETTINGS}.apiKey.`;
  if (status === 404) {
    return `The model endpoint does not know the model ${model}, or the address is wrong${end}. Check ${SETTINGS}.baseUrl and ${ADVICE[asks].model}.`;
  }
  const after = passing && tries > 1 ? ` after ${tries} tries` : '';
  if (status === null)
    return `The model endpoint ${settings.baseUrl} gave no complete answer${after}: ${said}`;
  return `The model endpoint ${passing ? 'cannot answer now' : 'refuses the request'}${after}${end}`;
}
