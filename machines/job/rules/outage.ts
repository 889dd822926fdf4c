/** First wait for a service that does not answer, ms; twice as long with each further one. */
export const FIRST_OUTAGE_WAIT_MS = 60_000;
/** Longest single wait for a service that does not answer, ms. */
export const LONGEST_OUTAGE_WAIT_MS = 15 * 60_000;
/**
 * Waits of one preparation in a row before a developer is asked: 1, 2, 4 and 8 minutes, then seven
 * times 15, two hours in all.
 */
export const MAX_OUTAGE_WAITS = 11;

/** When a preparation is tried again, epoch ms. `before`: waits in a row before this one. */
export const outageUntil = (now: number, before: number): number =>
  now + Math.min(FIRST_OUTAGE_WAIT_MS * 2 ** before, LONGEST_OUTAGE_WAIT_MS);

/** For people: why it waits, and until when. */
export const outageText = (until: string, error: string): string =>
  `what this phase needs cannot be reached; the job tries again by itself at ${until.replace('T', ' ').slice(0, 16)} UTC: ${error}`;
