export type { StopReason, TurnStop } from '../domain/stopReasons.ts';
export type { Usage } from '../schema/usage.ts';
