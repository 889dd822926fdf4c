import type { QuietHours } from '../../contract/schema/runner/notificationSettings.ts';
import { parseMinuteOfDay, toWallTime } from './wallTime.ts';

const MINUTE_MS = 60_000;
/** A day with a clock change has 25 hours, and no quiet time is longer. */
const LONGEST_QUIET_MINUTES = 25 * 60;

function isQuiet(at: number, { from, to, zone }: QuietHours): boolean {
  const { minute } = toWallTime(at, zone);
  const begin = parseMinuteOfDay(from);
  const end = parseMinuteOfDay(to);
  return begin <= end ? minute >= begin && minute < end : minute >= begin || minute < end;
}

/**
 * The first minute at or after `at` (epoch ms) that is not quiet; `at` itself where it is not. It
 * looks at each minute as the clocks of the zone show it, so a minute that a clock change skips or
 * repeats needs no rule of its own.
 */
export function findQuietEnd(at: number, quiet: QuietHours | undefined): number {
  if (quiet === undefined || !isQuiet(at, quiet)) return at;
  const minute = Math.floor(at / MINUTE_MS);
  for (let later = 1; later <= LONGEST_QUIET_MINUTES; later += 1) {
    const next = (minute + later) * MINUTE_MS;
    if (!isQuiet(next, quiet)) return next;
  }
  return at;
}
