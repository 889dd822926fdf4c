const HOUR_MS = 3_600_000;
/** Hours of the day, by this browser's clock. */
const MORNING = 9;
const EVENING = 18;
const MONDAY = 1;
const DAYS = 7;

export interface SnoozeTime {
  says: string;
  /** Epoch ms. */
  at: number;
}

/** An hour of a day `days` after that of `now`, in this browser's time zone. */
function computeHour(now: number, days: number, hour: number): number {
  const date = new Date(now);
  date.setDate(date.getDate() + days);
  return date.setHours(hour, 0, 0, 0);
}

/** Until when an item can be snoozed with one click. `now` is epoch ms. */
export function listSnoozeTimes(now: number): SnoozeTime[] {
  const evening = computeHour(now, 0, EVENING);
  const toMonday = (MONDAY - new Date(now).getDay() + DAYS) % DAYS || DAYS;
  return [
    { says: 'For 1 hour', at: now + HOUR_MS },
    { says: 'For 4 hours', at: now + 4 * HOUR_MS },
    // Later in the day it would be less than the first.
    ...(evening - now > HOUR_MS ? [{ says: 'Until this evening, 18:00', at: evening }] : []),
    { says: 'Until tomorrow, 9:00', at: computeHour(now, 1, MORNING) },
    // Tomorrow is the line before.
    ...(toMonday > 1
      ? [{ says: 'Until Monday, 9:00', at: computeHour(now, toMonday, MORNING) }]
      : []),
  ];
}
