import type { ReportTimes } from '../../contract/schema/runner/notificationSettings.ts';
import { parseMinuteOfDay, toWallTime } from './wallTime.ts';

/** The report that is due at an instant. */
export interface DueReport {
  /** The same for the whole day, so that a day has one report. */
  id: string;
  days: 1 | 7;
}

/** The report of the day of `now` (epoch ms) if its time of day is over; null = the day has no report, or it is not due yet. */
export function findDueReport(
  now: number,
  { every, at, weekday, zone }: ReportTimes,
): DueReport | null {
  const wall = toWallTime(now, zone);
  if (every === 'week' && wall.weekday !== weekday) return null;
  if (wall.minute < parseMinuteOfDay(at)) return null;
  return { id: `report/${every}/${wall.date}`, days: every === 'week' ? 7 : 1 };
}
