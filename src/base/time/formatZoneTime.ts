/** A time as a clock of the zone shows it, to the minute: `Tue 2026-12-01 03:00`. */
export function formatZoneTime(iso: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(iso));
  const read = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return `${read('weekday')} ${read('year')}-${read('month')}-${read('day')} ${read('hour')}:${read('minute')}`;
}
