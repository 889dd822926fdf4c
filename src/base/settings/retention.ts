/** What svc keeps of jobs that have ended, in the order in which it is cleared away. */
export const RETENTION_KINDS = ['checkouts', 'logs', 'archives', 'artefacts', 'mirrors'] as const;
export type RetentionKind = (typeof RETENTION_KINDS)[number];

export interface RetentionRule {
  /** Days after the end of its job, or after its last use; 0 = age alone removes nothing. */
  afterDays: number;
  /** MiB of all of it together, beyond which the oldest goes first; 0 = no limit. */
  maxMb: number;
}

export const DEFAULT_RETENTION: Readonly<Record<RetentionKind, RetentionRule>> = {
  checkouts: { afterDays: 14, maxMb: 0 },
  logs: { afterDays: 30, maxMb: 0 },
  archives: { afterDays: 0, maxMb: 0 },
  artefacts: { afterDays: 0, maxMb: 0 },
  mirrors: { afterDays: 90, maxMb: 0 },
};

export const DAY_MS = 86_400_000;
export const MIB = 1_048_576;

/** Shortest time between two scheduled runs: 10 minutes. */
export const LEAST_EVERY_MS = 600_000;
/** Longest one: a year. */
export const MOST_EVERY_MS = 365 * DAY_MS;
