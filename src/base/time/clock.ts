/**
 * Time as an input: everything that needs the time or a timer is handed a `Clock`.
 * The real one is made once in `src/main.ts`; tests hand in a simulated one.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Calls `run` once: at `atMs` (epoch milliseconds), or as soon as the time has passed that was left
   * until then, since the time of day may be set back meanwhile. The returned function cancels it.
   */
  at(atMs: number, run: () => void): () => void;
}

/** The clock of a machine whose time of day may be set back. */
export interface MachineClock extends Clock {
  /** Milliseconds of a clock that is never set, and stops while the machine sleeps. */
  steady?(): number;
}

/**
 * A longer wait is split into steps: a timeout runs on a clock that stops while the machine sleeps
 * and does not follow the time of day, so a job that waits until a time would be woken hours late.
 * It is late by this much at most.
 */
const LONGEST_TIMEOUT_MS = 60_000;

export const systemClock: MachineClock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  at(atMs, run) {
    let handle: NodeJS.Timeout;
    // Of the two clocks, that of the day is set back at times, and the other stops in sleep.
    const steadyAt = performance.now() + (atMs - Date.now());
    const arm = () => {
      const remainingMs = Math.min(atMs - Date.now(), steadyAt - performance.now());
      handle =
        remainingMs > LONGEST_TIMEOUT_MS
          ? setTimeout(arm, LONGEST_TIMEOUT_MS)
          : setTimeout(run, Math.max(0, remainingMs));
    };
    arm();
    return () => clearTimeout(handle);
  },
};
