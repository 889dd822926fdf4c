import { RATING_TIMER } from './job/states/judging.ts';
import { OUTAGE_TIMER } from './job/states/parked.ts';
import { STOP_TIMER } from './job/states/working.ts';
import { RETRY_TIMER } from './subRuns/hindranceChanges.ts';

/**
 * Timers that measure a duration. All others are due at a time of day: the reset of a limit, the
 * next window of a budget, the end of unattended work, a schedule.
 */
export const DURATION_TIMERS: ReadonlySet<string> = new Set([
  OUTAGE_TIMER,
  RETRY_TIMER,
  STOP_TIMER,
  RATING_TIMER,
]);
