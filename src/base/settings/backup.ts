const HOUR_MS = 3_600_000;

/** Shortest time between two backups of the schedule: an hour. */
export const LEAST_BACKUP_MS = HOUR_MS;
/** Longest one: a year. */
export const MOST_BACKUP_MS = 365 * 24 * HOUR_MS;
