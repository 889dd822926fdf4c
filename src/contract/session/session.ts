export type { StopReason, TurnStop } from '../../base/jobs/stopReasons.ts';
export type { Usage } from '../schema/session/usage.ts';
