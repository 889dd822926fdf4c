/**
 * Why a session is over; same words as the job chart's. `limit` = a time or output limit of ours; `quota` = the model's endpoint takes no
 * more requests for a while (429, 529, a usage limit): the job waits and continues by itself; `died` = the agent's process ended without
 * a result (killed, crashed): it is started again. `error` fails the job.
 */
export type StopReason = 'end_turn' | 'pause_turn' | 'interrupted' | 'error' | 'limit' | 'quota' | 'died';

/** Why a turn is over, in the words of the agents. */
export type TurnStop = 'end_turn' | 'interrupted' | 'tool_use' | 'pause_turn' | 'max_tokens' | 'max_turns' | 'refusal' | 'error';

export type { Usage } from '../schema/usage.ts';
