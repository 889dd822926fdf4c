/** Units from the longest, in seconds. */
const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** "3 min ago", or "in 3 min" for a future time; "just now" within a second. */
export function formatAgo(iso: string, now: number): string {
  const passedSeconds = (now - Date.parse(iso)) / 1000;
  const seconds = Math.floor(Math.abs(passedSeconds));
  for (const [unit, length] of UNITS) {
    if (seconds < length) continue;
    const span = `${Math.floor(seconds / length)} ${unit}`;
    return passedSeconds > 0 ? `${span} ago` : `in ${span}`;
  }
  return 'just now';
}

/** Local date and time to the second, as a person reads it: `2026-11-21 01:31:48`. */
export function formatLocalTime(iso: string): string {
  const date = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Both: `2026-11-21 01:31:48 (3 min ago)`. */
export const formatTimeWithAgo = (iso: string, now: number): string =>
  `${formatLocalTime(iso)} (${formatAgo(iso, now)})`;
