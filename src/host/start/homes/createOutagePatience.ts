import type { Clock } from '../../../base/time/clock.ts';
import type { Patience } from '../../../cloudLink/homes/runnerRequests.ts';

/** How often a wait for the control plane is reported, ms. */
const REPORT_MS = 30_000;

/** Waits as long as the control plane is away, and reports it now and then. */
export function createOutagePatience(
  signal: AbortSignal,
  clock: Clock,
  log: { warn(facts: object, text: string): void },
): Patience {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return {
    signal,
    onProblem(problem) {
      const now = clock.now();
      if (problem === null || now - reportedAt < REPORT_MS) return;
      reportedAt = now;
      log.warn({ problem }, 'the control plane is away; it is tried again');
    },
  };
}
