import type { Clock } from '../../src/base/time/clock.ts';

export interface PressedClock {
  clock: Clock;
  /** Lets this time pass, ms. */
  advance(ms: number): void;
  /** Resolves when something begins to wait. */
  restarted(): Promise<void>;
}

/** Waits of at least `longMs` pass only where a test lets them; shorter ones are over at once. */
export function createPressedClock(longMs: number): PressedClock {
  let now = 0;
  const timers = new Map<() => void, number>();
  let onRestart = () => {};
  const clock: Clock = {
    now: () => now,
    at: (due, run) => {
      if (due - now < longMs) setImmediate(run);
      else timers.set(run, due);
      onRestart();
      return () => void timers.delete(run);
    },
  };
  return {
    clock,
    advance: (ms) => {
      now += ms;
      for (const [run, due] of timers) if (due <= now) run();
    },
    restarted: () =>
      new Promise<void>((resolve) => {
        onRestart = resolve;
      }),
  };
}
