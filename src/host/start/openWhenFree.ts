import type { Clock } from '../../base/time/clock.ts';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import { sleep } from '../../base/time/waiting.ts';

/** Between two attempts, ms: short enough that no one notices it. */
const RETRY_MS = 50;
/** Between two reports, ms. */
const REPORT_MS = 5_000;

export interface StateWait {
  /** Longest wait, ms. */
  ms: number;
  /** Called at once and then every 5 s, with what is waited for. */
  report(reason: string): void;
}

/**
 * Opens the state, and where another process has it (SvcError `locked`) tries again until it is free.
 * Throws that error after the longest wait; any other one, and every one without a `wait`, at once.
 */
export async function openWhenFree<State>(
  open: () => Promise<State>,
  clock: Clock,
  wait: StateWait | undefined,
): Promise<State> {
  const began = clock.now();
  let reportedAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (wait === undefined || !(error instanceof SvcError) || error.code !== 'locked')
        throw error;
      const now = clock.now();
      if (now - began >= wait.ms)
        throw new SvcError(
          'locked',
          `Waited ${Math.round(wait.ms / 60_000)} minutes. ${toErrorMessage(error)}`,
          { cause: error },
        );
      if (now - reportedAt >= REPORT_MS) {
        reportedAt = now;
        wait.report(toErrorMessage(error));
      }
      await sleep(clock, RETRY_MS);
    }
  }
}
