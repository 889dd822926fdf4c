import type { Clock } from './clock.ts';

/** The clock in the form that live actors expect, which cancel a timer by its id. */
export const createActorClock = (clock: Clock) => ({
  setTimeout: (run: (...args: unknown[]) => void, ms: number): unknown =>
    clock.at(clock.now() + ms, run),
  clearTimeout: (cancel: unknown): void => {
    if (typeof cancel === 'function') cancel();
  },
});
