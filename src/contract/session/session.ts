export type { StopReason, TurnStop } from '../../shared/jobs/stopReasons.ts';
export type { Usage } from '../schema/session/usage.ts';
