/**
 * Every act on the outside world that the dispatcher of sub-runs may ask for: name → its input.
 * Each is implemented in a file of its own, which `src/host/runner/providePorts.ts` joins.
 */
export interface SubRunsPorts {
  /**
   * Makes the input of the sub-run's job from its row and its workflow. Answers `subRun.prepared`,
   * `subRun.unprepared` or `subRun.postponed`.
   */
  'subRun.dispatch': { parentJobId: string; name: string; attempt: number };
  /** Cancels the job of a sub-run; it then ends by itself. */
  'subRun.stop': { parentJobId: string; name: string; attempt: number; reason: string };
}
