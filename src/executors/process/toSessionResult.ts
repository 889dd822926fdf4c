import type { SessionResult } from '../../contract/session/executor.ts';
import type { TurnStop } from '../../base/jobs/stopReasons.ts';
import { classifyQuota } from './quota/classifyQuota.ts';
import { parseTooLong } from './refusal/parseLengths.ts';
import { parseRefusal } from './refusal/parseRefusal.ts';

/** How programs quote the status of an answer that refuses one request. */
const STATUS = /\b(?:api error|error code|status(?: code)?|http)\W{0,3}(?:400|413|422)\b/i;
const CODES: ReadonlySet<string> = new Set(['invalid_request_error', 'invalid_argument']);

/**
 * Whether the last words of a program say that its model refuses this one request, such as a
 * conversation that is too long: other jobs of the account would not fail likewise.
 */
export function isRequestRefused(words: string): boolean {
  const refusal = parseRefusal(words);
  // Missing money and limits concern the account, whatever their status.
  if (classifyQuota(refusal.codes, words) !== null) return false;
  return (
    STATUS.test(words) ||
    refusal.codes.some((code) => CODES.has(code)) ||
    parseTooLong(refusal, 0) !== null
  );
}

const WORDS: Partial<Record<TurnStop, Pick<SessionResult, 'stopReason' | 'error'>>> = {
  end_turn: { stopReason: 'end_turn', error: null },
  interrupted: { stopReason: 'interrupted', error: null },
  pause_turn: { stopReason: 'pause_turn', error: null },
  // The agent was about to continue.
  tool_use: { stopReason: 'pause_turn', error: null },
  max_tokens: {
    stopReason: 'stuck',
    error: 'The model stopped in the middle of its answer: it reached its output limit.',
  },
  max_turns: { stopReason: 'stuck', error: 'The agent used up its requests for one turn.' },
  refusal: { stopReason: 'stuck', error: 'The model refused to continue.' },
  empty: {
    stopReason: 'stuck',
    error: 'The model answered with neither text nor a tool call, even after a retry.',
  },
};

/** The result of a session whose last turn ended like this. */
export const toSessionResult = (
  stopReason: TurnStop,
  error: string | null,
): Omit<SessionResult, 'usage'> => {
  const ending = WORDS[stopReason];
  if (ending) return { ...ending, error: ending.error && (error ?? ending.error) };
  const fault =
    error !== null && isRequestRefused(error) ? { fault: 'request-refused' as const } : {};
  return { stopReason: 'error', error: error ?? 'The agent failed.', ...fault };
};
