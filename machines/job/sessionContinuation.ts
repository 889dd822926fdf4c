import type { Setback } from '../../src/base/jobs/stopReasons.ts';

/** The sessions of this visit that the next one continues. */
export interface SessionContinuation {
  /** Number of the first of these sessions. */
  first: number;
  /**
   * The session whose numbering of tool calls continues: a dead agent's repeated calls get the
   * recorded answers.
   */
  calls: number;
  why: Setback;
}
