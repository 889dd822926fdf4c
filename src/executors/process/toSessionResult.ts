import type { SessionResult } from '../../contract/session/executor.ts';
import type { TurnStop } from '../../contract/session/session.ts';
import { isRequestRefused } from './refusal/isRequestRefused.ts';

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
  const known = WORDS[stopReason];
  if (known) return { ...known, error: known.error && (error ?? known.error) };
  const fault =
    error !== null && isRequestRefused(error) ? { fault: 'request-refused' as const } : {};
  return { stopReason: 'error', error: error ?? 'The agent failed.', ...fault };
};
