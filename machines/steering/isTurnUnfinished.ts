import type { TurnStop } from '../../src/shared/jobs/stopReasons.ts';

/** After these the input stays open without a new message: the agent was not done. */
const UNDONE: ReadonlySet<TurnStop> = new Set(['interrupted', 'tool_use', 'pause_turn']);

export const isTurnUnfinished = (stopReason: TurnStop | null): boolean =>
  stopReason !== null && UNDONE.has(stopReason);
