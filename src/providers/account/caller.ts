import { AsyncLocalStorage } from 'node:async_hooks';

/** In whose name a forge is asked; null = the runner's own (polling). */
export interface Caller {
  jobId: string;
  phase: string;
  /** Aborted when the runner stops: nothing is waited for any more. */
  signal?: AbortSignal;
  /**
   * Called right before a request that writes goes out, after every wait; it does not go out when
   * this rejects.
   */
  beforeWrite?(): Promise<void>;
}

const callers = new AsyncLocalStorage<Caller | null>();

/**
 * Runs what a job asks of forges in its name: its part of the budget is used, and the log of writes
 * names it.
 */
export const runAsCaller = <T>(caller: Caller, run: () => T): T => callers.run(caller, run);

/**
 * Runs what the runner asks for itself while it does something for a job, such as another token: it
 * is not part of the job's write.
 */
export const runAsRunner = <T>(run: () => T): T => callers.run(null, run);

export const findCurrentCaller = (): Caller | null => callers.getStore() ?? null;
