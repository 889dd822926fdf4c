/** A time, epoch ms or a date as text, in the form of the API: `2026-01-31T12:00:00.000Z`. */
export const toIsoTime = (time: number | string): string => new Date(time).toISOString();

/** The same for a time that may be missing: null for null and undefined. */
export const toIsoTimeOrNull = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : toIsoTime(ms);
