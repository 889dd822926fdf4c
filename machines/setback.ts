/** What ended a session without being the agent's fault: its process died, or the model's endpoint has a limit. */
export type Setback = 'died' | 'quota';

/** The sessions of this visit that the next one continues. */
export interface Continued {
  /** The first of them. */
  first: number;
  /** The session whose numbering of tool calls counts: repeated calls of a dead agent get the recorded answers. */
  calls: number;
  why: Setback;
}
