import { parseQuotaDurationMs, toEpochMs } from './times.ts';
import { computeNextWallTime } from './computeNextWallTime.ts';

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

const LEAD =
  '(?:try again|retry|resets?|reset after|available|regain access|access)(?: again)?(?: at| on| in| after)?:? ';
const DURATION = new RegExp(`${LEAD}((?:\\d+(?:\\.\\d+)? ?[a-z]+[ ,]{0,2}(?:and )?){1,4})`, 'gi');
const CLOCK = '(\\d{1,2})(?::(\\d{2}))?(?: ?([ap])\\.?m\\b)?';
const ZONE = '(?: \\(?([A-Z][A-Za-z_]+(?:/[A-Za-z_+-]+)*)\\)?)?';
const DATE = '(?:([a-z]{3})[a-z]* (\\d{1,2})(?:st|nd|rd|th)?,?(?: (\\d{4}),?)?(?: at)? )?';
const AT_CLOCK = new RegExp(`${LEAD}${DATE}${CLOCK}${ZONE}`, 'gi');
const AT_ISO = new RegExp(
  `${LEAD}(\\d{4})-(\\d{2})-(\\d{2})(?: at |T| )(\\d{2}):(\\d{2})(?::\\d{2})?(?: ?(UTC|Z)\\b)?`,
  'gi',
);

export interface WordPlace {
  now: number;
  /** IANA name of the agent's zone, for times that name none. */
  zone: string;
}

const resolveNamedZone = (zoneName: string | undefined, own: string): string =>
  zoneName === undefined || zoneName === '' ? own : zoneName === 'Z' ? 'UTC' : zoneName;

const toHourOfDay = (hour: string, half: string | undefined): number =>
  half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);

/** `try again in 2h 30m`, `retry after 45 seconds`, `reset after 8h44m7s`. */
const findWaitTimes = (words: string, now: number): number[] =>
  [...words.matchAll(DURATION)].flatMap(([, duration = '']) => {
    const waitMs = parseQuotaDurationMs(duration);
    return waitMs === null ? [] : [now + waitMs];
  });

function findEpochTimes(words: string): number[] {
  const matches = [...words.matchAll(/limit[^|\n]{0,80}\|(\d{10,13})\b/gi)];
  return matches.flatMap(([, seconds]) => toEpochMs(seconds) ?? []);
}

/** `regain access on 2026-04-01 at 00:00 UTC`. */
const findIsoTimes = (words: string, { now, zone }: WordPlace): number[] =>
  [...words.matchAll(AT_ISO)].flatMap(([, year, month, day, hour, minute, zoneName]) => {
    const time = {
      year: Number(year),
      month: Number(month),
      day: Number(day),
      hour: Number(hour),
      minute: Number(minute),
    };
    return computeNextWallTime(time, resolveNamedZone(zoneName, zone), now) ?? [];
  });

/** `resets 8:30pm (Asia/Tokyo)`, `try again at Jun 18th, 2026 8:41 AM`, `resets Jul 31, 2am (UTC)`. */
const findClockTimes = (words: string, { now, zone }: WordPlace): number[] =>
  [...words.matchAll(AT_CLOCK)].flatMap(
    ([, monthName, day, year, hour = '', minute, half, inZone]) => {
      const month = MONTHS.indexOf((monthName ?? '').toLowerCase()) + 1;
      // A bare number is not a time of day.
      if (minute === undefined && half === undefined) return [];
      if (monthName !== undefined && month === 0) return [];
      const time = {
        hour: toHourOfDay(hour, half),
        minute: Number(minute ?? 0),
        ...(month > 0 ? { month, day: Number(day) } : {}),
        ...(year === undefined ? {} : { year: Number(year) }),
      };
      return (
        computeNextWallTime(time, resolveNamedZone(inZone, zone), now) ??
        computeNextWallTime(time, zone, now) ??
        []
      );
    },
  );

/** The latest time in the text for another try, epoch ms; null = none. */
export function findLatestTimeInWords(words: string, place: WordPlace): number | null {
  const times = [
    ...findEpochTimes(words),
    ...findWaitTimes(words, place.now),
    ...findIsoTimes(words, place),
    ...findClockTimes(words, place),
  ];
  return times.length === 0 ? null : Math.max(...times);
}
