/**
 * The acts on the outside world that the dispatcher may ask for: name → input. Each has its own
 * file; `src/host/runner/providePorts.ts` joins them.
 */
export interface SubRunsPorts {
  /**
   * Makes the job's input from the sub-run's row and workflow. Answers `subRun.prepared`,
   * `subRun.unprepared` or `subRun.postponed`.
   */
  'subRun.dispatch': { parentJobId: string; name: string; attempt: number };
  /** Cancels a sub-run's job, which then ends by itself. */
  'subRun.stop': { parentJobId: string; name: string; attempt: number; reason: string };
}
