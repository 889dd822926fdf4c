/** Why a session is over; same words as the job chart's. `limit` = a time or output limit of ours. */
export type StopReason = 'end_turn' | 'pause_turn' | 'interrupted' | 'error' | 'limit';

export type { Usage } from '../schema/usage.ts';
