import type { Clock } from './clock.ts';

/** The clock as live actors want it: what cancels a timer is its id. */
export const createActorClock = (clock: Clock) => ({
  setTimeout: (run: (...args: unknown[]) => void, ms: number): unknown =>
    clock.at(clock.now() + ms, run),
  clearTimeout: (cancel: unknown): void => {
    if (typeof cancel === 'function') cancel();
  },
});
