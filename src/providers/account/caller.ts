import { AsyncLocalStorage } from 'node:async_hooks';

/** Whose request it is; null = the runner's own (polling). */
export interface Caller {
  jobId: string;
  phase: string;
  /** Aborted when the runner stops: all waits end. */
  signal?: AbortSignal;
  /**
   * Called right before a write goes out, after every wait; the write does not go out when this
   * rejects.
   */
  prepareWrite?(): Promise<void>;
}

const callers = new AsyncLocalStorage<Caller | null>();

export const runAsCaller = <T>(caller: Caller, run: () => T): T => callers.run(caller, run);

/**
 * Runs a request of the runner itself while it acts for a job, such as getting another token: it is
 * not part of the job's write.
 */
export const runAsRunner = <T>(run: () => T): T => callers.run(null, run);

export const findCurrentCaller = (): Caller | null => callers.getStore() ?? null;
