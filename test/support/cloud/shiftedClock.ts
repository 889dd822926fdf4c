import { type Clock, systemClock } from '../../../src/base/time/clock.ts';

export interface ShiftedClock extends Clock {
  /** Lets this time pass at once, ms; back where it is negative. Timers run by the system's time. */
  shift(ms: number): void;
  /** The system's time again. */
  reset(): void;
}

/** The system's time, or that of another clock, moved: the authorization server reads the system's own. */
export function createShiftedClock(clock: Clock = systemClock): ShiftedClock {
  let shifted = 0;
  return {
    now: () => clock.now() + shifted,
    at: (due, run) => clock.at(due - shifted, run),
    shift(ms) {
      shifted += ms;
    },
    reset() {
      shifted = 0;
    },
  };
}
