import { formatUtcMinute } from '../../../src/base/time/toIsoTime.ts';
import { shorten } from '../../../src/base/text/clip.ts';
import { MAX_KEPT_REASON_CHARS } from '../../../src/base/limits/jobLimits.ts';

/** First wait for a service that does not answer, ms; doubled each time. */
export const FIRST_OUTAGE_WAIT_MS = 60_000;
/** Longest single wait for such a service, ms. */
export const LONGEST_OUTAGE_WAIT_MS = 15 * 60_000;
/**
 * Waits in a row before a developer is asked: 1, 2, 4, 8 minutes, then 7 × 15, two hours in all.
 */
export const MAX_OUTAGE_WAITS = 11;

/** When a preparation is retried, epoch ms. `before`: earlier waits in a row. */
export const computeOutageRetry = (now: number, before: number): number =>
  now + Math.min(FIRST_OUTAGE_WAIT_MS * 2 ** before, LONGEST_OUTAGE_WAIT_MS);

/** Longest account of a needed repair, characters; leaves room for the command after it. */
const MAX_HINDRANCE_CHARS = MAX_KEPT_REASON_CHARS - 350;

export const describeOutage = (until: string, error: string): string =>
  `what this phase needs cannot be reached; the job tries again by itself at ${formatUtcMinute(until)}: ${error}`;

/** For people: what to repair, and what happens then. `until`: null = nothing by itself. */
export const describeRepair = (
  { id, phase }: { id: string; phase: string },
  error: string,
  until: string | null,
): string => {
  const then =
    until === null
      ? `When it is repaired, continue the job with: svc resume ${id}`
      : `When it is repaired, the job continues by itself (next attempt at ${formatUtcMinute(until)}), or immediately with: svc resume ${id}`;
  const what = addFullStop(shorten(error, MAX_HINDRANCE_CHARS));
  return `phase ${phase} cannot continue: ${what} ${then}`;
};

const addFullStop = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
