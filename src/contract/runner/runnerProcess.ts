import type { RestartReply } from '../schema/runner/handover.ts';

/** What can be asked of the process that a runner is in. */
export interface RunnerProcess {
  /**
   * Begins an orderly stop, after which the process ends. `handOver`: another runner of the team continues the jobs at
   * once.
   */
  stop(handOver?: boolean): void;
  /** Ends the process at once with this exit code: nothing more of the runner runs. */
  end(exitCode: number): void;
  /**
   * Lets the program in the folder `root` take over home and port; null: the program that the runner
   * was started from. Resolves when that is loaded and the take-over begins. Throws SvcError where it
   * cannot: the runner then continues as it is.
   */
  restart(root: string | null): Promise<RestartReply>;
}
