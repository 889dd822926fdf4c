export const STEPS = 6;
export const CONCURRENT = 100;
/** About 4 KB of state, of the shape that a job's has: a list of small records. */
export const STATE = Array.from({ length: 40 }, (_, n) => ({
  id: `item-${n}`,
  title: 'x'.repeat(48),
  status: 'pending',
  loopCount: n,
}));
/** Woken in sequence in each round, and before them so many that are not counted. */
export const SINGLES = 150;
export const FIRST_SINGLES = 50;
export const BURST = 1_000;
/** Bursts that do not count: Node still compiles in the first thousands of wake-ups. */
export const FIRST_BURSTS = 4;
/** Senders of a burst: each sends its next event when the one before was answered. */
export const SENDERS = 50;
/** Pause between a continuation and the next event, so that the woken one is idle again, ms. */
export const APART_MS = 3;
/** Between a burst and what follows, ms. */
export const SETTLE_MS = 500;
/** Parked at once when memory and recovery are measured. */
export const PARKED = 10_000;
