/** Failures in a row after which a schedule pauses itself. */
export const MOST_SCHEDULE_FAILURES = 3;
/** Most times of a schedule that wait for the job before them, and most missed ones that are made up. */
export const MOST_PENDING_TIMES = 24;
/** How late a time may be before it counts as missed, ms. */
export const LATE_MS = 5 * 60_000;
/** Longest jitter, ms. */
export const MOST_JITTER_MS = 3_600_000;
/** How many of the next times are shown. */
export const SHOWN_TIMES = 5;

export type MissedRule = 'skip' | 'once' | 'all';
export type OverlapRule = 'skip' | 'queue' | 'cancel';

/** The outcome of one time of a schedule: a job, a time left out by its rules, or a job that could not be created. */
export type ScheduledOutcome = 'started' | 'skipped' | 'refused';
