export interface WallTime {
  year?: number;
  /** 1 to 12. */
  month?: number;
  day?: number;
  hour: number;
  minute: number;
}

const DAY_MS = 86_400_000;

/** How far the zone is ahead of UTC at a time, ms; null for an unknown zone. */
function computeZoneOffsetMs(zone: string, at: number): number | null {
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }).formatToParts(at);
    const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
    const wall = Date.UTC(
      of('year'),
      of('month') - 1,
      of('day'),
      of('hour'),
      of('minute'),
      of('second'),
    );
    return wall - Math.floor(at / 1_000) * 1_000;
  } catch {
    return null;
  }
}

function toZoneEpochMs(zone: string, wall: number): number | null {
  const ahead = computeZoneOffsetMs(zone, wall);
  if (ahead === null) return null;
  // The offset at the time itself counts, not that at the first guess.
  const exact = computeZoneOffsetMs(zone, wall - ahead);
  return exact === null ? null : wall - exact;
}

/**
 * The first time after `now`, epoch ms, at which a clock in the zone (an IANA name) shows this. A
 * whole date may be in the past. Null for an unknown zone or date.
 */
export function computeNextWallTime(time: WallTime, zone: string, now: number): number | null {
  const ahead = computeZoneOffsetMs(zone, now);
  if (ahead === null) return null;
  const today = new Date(now + ahead);
  const { hour, minute, month, day } = time;
  if (hour > 23 || minute > 59) return null;
  const toWallTime = (year: number): number =>
    Date.UTC(year, (month ?? today.getUTCMonth() + 1) - 1, day ?? today.getUTCDate(), hour, minute);
  const year = time.year ?? today.getUTCFullYear();
  const first = toZoneEpochMs(zone, toWallTime(year));
  if (first === null || first > now || time.year !== undefined) return first;
  return day === undefined
    ? toZoneEpochMs(zone, toWallTime(year) + DAY_MS)
    : toZoneEpochMs(zone, toWallTime(year + 1));
}
