/** A time, epoch ms or a date as text, in the form of the API: `2026-01-31T12:00:00.000Z`. */

/** A time for people, to the minute: `2026-01-31 12:00 UTC`. Epoch ms, or a text in the form of the API. */
export const formatUtcMinute = (time: number | string): string => {
  const iso = typeof time === 'string' ? time : toIsoTime(time);
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
};

/** A time, epoch ms or a date as text, in the form of the API: `2026-01-31T12:00:00.000Z`. */
export const toIsoTime = (time: number | string): string => new Date(time).toISOString();

/** The same for a time that may be missing: null for null and undefined. */
export const toIsoTimeOrNull = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : toIsoTime(ms);
