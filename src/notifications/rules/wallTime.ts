import type { Weekday } from '../../base/settings/notificationKinds.ts';

export interface WallTime {
  /** Minutes since midnight on the clocks of the zone. */
  minute: number;
  /** `2026-11-30`. */
  date: string;
  weekday: Weekday;
}

const formats = new Map<string | undefined, Intl.DateTimeFormat>();

/** Creating a format costs a thousand times as much as using it. */
function getFormat(zone: string | undefined): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      ...({ year: 'numeric', month: '2-digit', day: '2-digit' } as const),
      ...({ weekday: 'short', hour: '2-digit', minute: '2-digit' } as const),
    });
    formats.set(zone, format);
  }
  return format;
}

/** What the clocks of a zone (IANA name; undefined = this machine's) show at an instant, epoch ms. */
export function toWallTime(at: number, zone: string | undefined): WallTime {
  const parts = Object.fromEntries(
    getFormat(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return {
    minute: Number(parts.hour) * 60 + Number(parts.minute),
    date: `${parts.year}-${parts.month}-${parts.day}`,
    weekday: String(parts.weekday).toLowerCase() as Weekday,
  };
}

/** `HH:MM` as minutes since midnight. */
export const parseMinuteOfDay = (text: string): number => {
  const [hours, minutes] = text.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
};
