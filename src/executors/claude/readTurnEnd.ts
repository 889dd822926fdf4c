import type { TurnStop } from '../../base/jobs/stopReasons.ts';
import { type Fields, toListOrEmpty, toStringOrEmpty } from '../../base/json/untrusted.ts';

export interface TurnEnd {
  stopReason: TurnStop;
  error: string | null;
}

const STOPS: Readonly<Record<string, TurnStop>> = {
  end_turn: 'end_turn',
  stop_sequence: 'end_turn',
  tool_use: 'tool_use',
  pause_turn: 'pause_turn',
  max_tokens: 'max_tokens',
  refusal: 'refusal',
};

/** The program has continued a cut answer several times and gives up. */
const TOO_LONG = /exceeded the \d+ output token maximum/;

/** The program has spent `maxBudgetUsd` by its own count. */
export const isOverBudget = ({ type, subtype }: Fields): boolean =>
  type === 'result' && subtype === 'error_max_budget_usd';

export const OVER_BUDGET =
  'The agent reports that the remaining budget is spent, so its session was ended.';

/** The program was to continue a session that it does not have. */
export const isLost = ({ type, errors }: Fields): boolean =>
  type === 'result' &&
  toListOrEmpty(errors).some((error) => toStringOrEmpty(error).startsWith('No conversation found'));

/**
 * How a turn ended, from its `result` message. After an interrupt an error does not count: the
 * program reports the interrupt as one.
 */
export function readTurnEnd(result: Fields, interrupted: boolean): TurnEnd {
  const { subtype, terminal_reason, stop_reason } = result;
  const errors = toListOrEmpty(result.errors)
    .map(toStringOrEmpty)
    .filter((line) => line !== '');
  const status =
    typeof result.api_error_status === 'number' ? [`(HTTP ${result.api_error_status})`] : [];
  const text = [...errors, toStringOrEmpty(result.result), ...status]
    .filter((line) => line !== '')
    .join(' ');
  if (toStringOrEmpty(terminal_reason).startsWith('aborted_'))
    return { stopReason: 'interrupted', error: null };
  if (interrupted && result.is_error === true) return { stopReason: 'interrupted', error: null };
  if (subtype === 'error_max_turns') return { stopReason: 'max_turns', error: null };
  // The program reports both as errors of its own.
  const stop = TOO_LONG.test(text) ? 'max_tokens' : STOPS[toStringOrEmpty(stop_reason)];
  if (result.is_error === true && (stop === 'refusal' || stop === 'max_tokens'))
    return { stopReason: stop, error: text || null };
  if (result.is_error === true || subtype !== 'success') {
    return { stopReason: 'error', error: text || `The agent failed: ${toStringOrEmpty(subtype)}.` };
  }
  return { stopReason: STOPS[toStringOrEmpty(stop_reason)] ?? 'end_turn', error: null };
}

/** The end of a turn whose last answer held neither text nor a call is `empty`. */
export const markEmptyEnd = (
  end: TurnEnd,
  { result }: Fields,
  { isAsked, isEmpty }: { isAsked: boolean; isEmpty: boolean },
): TurnEnd =>
  end.stopReason === 'end_turn' && isAsked && isEmpty && toStringOrEmpty(result).trim() === ''
    ? { stopReason: 'empty', error: null }
    : end;
