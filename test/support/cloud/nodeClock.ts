import type { Clock } from '../../../src/base/time/clock.ts';

export interface NodeClock extends Clock {
  /** Cancels what still waits. */
  end(): void;
}

/**
 * The clock of one node, whose waits end with it, as they do with its process: a test would wait for them at its end,
 * or could share its process with no other.
 */
export function createNodeClock(clock: Clock): NodeClock {
  const waits = new Set<() => void>();
  return {
    ...clock,
    at(due, run) {
      const cancel = clock.at(due, () => {
        waits.delete(stop);
        run();
      });
      const stop = () => {
        waits.delete(stop);
        cancel();
      };
      waits.add(stop);
      return stop;
    },
    end() {
      for (const stop of waits) stop();
    },
  };
}
