import { type Clock, systemClock } from '../../src/base/time/clock.ts';

/** A limit of time that ends only when a test lets it, ms. */
export const HELD_MS = 86_400_000;

export interface HeldClock {
  clock: Clock;
  /** Lets the held waits pass. */
  release(): void;
}

/** The clock of the system, on which waits of more than an hour are held. */
export function createHeldClock(): HeldClock {
  const waits = new Set<() => void>();
  const clock: Clock = {
    now: systemClock.now,
    at(atMs, run) {
      if (atMs - systemClock.now() < 3_600_000) return systemClock.at(atMs, run);
      waits.add(run);
      return () => void waits.delete(run);
    },
  };
  return {
    clock,
    release() {
      for (const run of waits) run();
      waits.clear();
    },
  };
}
