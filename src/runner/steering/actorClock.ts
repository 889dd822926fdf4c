import type { Clock } from '../../lib/clock.ts';

/** The clock as live actors want it. */
export const actorClock = (clock: Clock) => {
  const waiting = new Map<number, () => void>();
  let last = 0;
  return {
    setTimeout(run: (...args: unknown[]) => void, ms: number): number {
      last += 1;
      const id = last;
      const cancel = clock.at(clock.now() + ms, () => {
        waiting.delete(id);
        run();
      });
      waiting.set(id, cancel);
      return id;
    },
    clearTimeout(id: number): void {
      waiting.get(id)?.();
      waiting.delete(id);
    },
  };
};
