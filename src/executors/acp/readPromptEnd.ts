import type { TurnStop } from '../../contract/session/session.ts';

export type PromptEnd = [stop: TurnStop, error: string | null];

const STOPS: Readonly<Record<string, TurnStop>> = {
  end_turn: 'end_turn',
  cancelled: 'interrupted',
  max_tokens: 'max_tokens',
  max_turn_requests: 'max_turns',
  refusal: 'refusal',
};

/**
 * Finish reasons of opencode's server for answers that its protocol reports as the end of a turn.
 */
const FINISHES: Readonly<Record<string, TurnStop>> = {
  length: 'max_tokens',
  'content-filter': 'refusal',
};

/** How a prompt ended. `finish`: reason of its last answer; empty = unknown. */
export function readPromptEnd(stopReason: string, finish: string, isEmpty: boolean): PromptEnd {
  const stop = STOPS[stopReason];
  if (stop === undefined)
    return ['error', `The agent ended its turn for an unknown reason: ${stopReason}.`];
  if (stop !== 'end_turn') return [stop, null];
  return [FINISHES[finish] ?? (isEmpty ? 'empty' : 'end_turn'), null];
}
