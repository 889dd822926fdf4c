import { toIsoTime } from './toIsoTime.ts';

/** A time for people, to the minute: `2026-01-31 12:00 UTC`. Epoch ms, or a text in the form of the API. */
export const formatUtcMinute = (time: number | string): string => {
  const iso = typeof time === 'string' ? time : toIsoTime(time);
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
};
