/** A tool call of an agent, as far as rules about repetition have to know it. */
export interface SeenCall {
  at: 'start' | 'end';
  /** The same in both. */
  id: string;
  name: string;
  /** At the end: the call has succeeded. */
  ok: boolean;
  /**
   * Fingerprint: at the start of the arguments, at the end of the answer. The same where they differ
   * only in numbers, times, long hexadecimal words and temporary paths.
   */
  print: string;
  /**
   * At the end: names of the tests that the answer shows as failed; empty after a run in which none
   * failed; null = it shows no run of tests.
   */
  failing: readonly string[] | null;
}

/** The executor has shortened the conversation to make room in the window of the model. */
export interface SeenFold {
  /** Part of the conversation that was freed, 0 to 1; null = it is not known. */
  freed: number | null;
}

/** Who watches for repetition. Left out: no one does. Installed plugins do not get it. */
export interface SessionWatcher {
  /** Called for each start and end of a tool call that the executor sees. */
  onCall?(call: SeenCall): void;
  /** Called each time that the executor has shortened the conversation, as far as it shows that. */
  onFold?(fold: SeenFold): void;
}
