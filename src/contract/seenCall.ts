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
