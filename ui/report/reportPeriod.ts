/** How a report may begin: of `date` the person names the time. */
export type Period = 'night' | '24h' | '7d' | 'date';

export const PERIODS: readonly { period: Period; says: string }[] = [
  { period: 'night', says: 'Since last night' },
  { period: '24h', says: '24 hours' },
  { period: '7d', says: '7 days' },
  { period: 'date', says: 'Custom date' },
];

/** Hour of the day before, by this browser's clock, at which last night began. */
const EVENING = 18;
/** How many days ago an own date is, before one is chosen. */
const OWN_DAYS = 3;

/** What the address has after `since=`; without it, since last night. */
export const parseReportPeriod = (since: string | undefined): Period =>
  since === undefined || since === 'night'
    ? 'night'
    : since === '24h' || since === '7d'
      ? since
      : 'date';

/** The evening this many days before `now` (epoch ms), in this browser's time zone. */
function computeEveningBefore(days: number, now: number): Date {
  const at = new Date(now);
  at.setDate(at.getDate() - days);
  at.setHours(EVENING, 0, 0, 0);
  return at;
}

const padDatePart = (n: number): string => String(n).padStart(2, '0');

/** A time as a field for it takes it, in this browser's time zone: `2026-11-20T18:00`. */
export const formatLocalMinute = (at: Date): string =>
  `${at.getFullYear()}-${padDatePart(at.getMonth() + 1)}-${padDatePart(at.getDate())}T${padDatePart(at.getHours())}:${padDatePart(at.getMinutes())}`;

/** What the address names when a period is chosen. */
export const toSinceQuery = (period: Period, now: number): string =>
  period === 'date' ? formatLocalMinute(computeEveningBefore(OWN_DAYS, now)) : period;

/** An instant, or how long ago. An invalid time is passed on, so that the runner explains it. */
export function resolveAskedSince(since: string | undefined, now: number): string {
  const period = parseReportPeriod(since);
  if (since === undefined || period === 'night') return computeEveningBefore(1, now).toISOString();
  const isLocal = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(since) && !Number.isNaN(Date.parse(since));
  return isLocal ? new Date(since).toISOString() : since;
}
