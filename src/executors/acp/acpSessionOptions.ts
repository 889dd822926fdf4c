import type { SessionRequest } from '../../contract/session/executor.ts';
import type { Clock } from '../../shared/time/clock.ts';
import type { AcpLaunchPlan } from './planAcpLaunch.ts';

export interface AcpSessionOptions {
  request: SessionRequest;
  plan: AcpLaunchPlan;
  clock: Clock;
  /** Wait between SIGTERM and SIGKILL when it is over, ms. */
  graceMs: number;
  /**
   * What holds a session that is one turn of a plan-mode chat; `onAgain`: an answer that was coming
   * broke off and is asked for again. Default: it is a session of a job.
   */
  chat?: { onAgain(): void };
}
