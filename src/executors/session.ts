/** Why a session is over; same words as the job chart's. `limit` = a time or output limit of ours. */
export type StopReason = 'end_turn' | 'pause_turn' | 'interrupted' | 'error' | 'limit';

/** Why a turn is over, in the words of the agents. */
export type TurnStop = 'end_turn' | 'interrupted' | 'tool_use' | 'pause_turn' | 'max_tokens' | 'max_turns' | 'refusal' | 'error';

export type { Usage } from '../schema/usage.ts';
