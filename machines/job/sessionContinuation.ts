import type { Setback } from '../../src/shared/jobs/stopReasons.ts';

/** The sessions of this visit that the next one continues. */
export interface SessionContinuation {
  /** The first of them. */
  first: number;
  /**
   * The session whose numbering of tool calls counts: repeated calls of a dead agent get the
   * recorded answers.
   */
  calls: number;
  why: Setback;
}
