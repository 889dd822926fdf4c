import { type Clock, systemClock } from '../../../src/base/time/clock.ts';

export interface ShiftedClock extends Clock {
  /** Lets this time pass at once, ms; back where it is negative. Timers run by the system's time. */
  shift(ms: number): void;
  /** The system's time again. */
  reset(): void;
}

/** The system's time, moved: the authorization server reads the system's own. */
export function createShiftedClock(): ShiftedClock {
  let shifted = 0;
  return {
    now: () => systemClock.now() + shifted,
    at: (due, run) => systemClock.at(due - shifted, run),
    shift(ms) {
      shifted += ms;
    },
    reset() {
      shifted = 0;
    },
  };
}
