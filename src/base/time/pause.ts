import type { Clock } from './clock.ts';

/** Resolves after a time. */
export const pause = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.at(clock.now() + ms, resolve));
