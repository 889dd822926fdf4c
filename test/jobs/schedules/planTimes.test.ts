import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatZoneTime } from '../../../src/base/time/formatZoneTime.ts';
import { planTimes } from '../../../src/jobs/schedules/planTimes.ts';
import { aRule } from '../../support/charts/scheduleStage.ts';
import { longLane } from '../../support/longLane.ts';

const test = suite('schedules: which times are due');
const long = longLane(test);

const DAY = 24 * 60 * 60_000;
const YEAR = Date.UTC(2026, 0, 1);
const NEXT_YEAR = Date.UTC(2027, 0, 1);

/**
 * Zone, a local time of the hour that is left out or repeated, the day of this, and what it is on that day: later where
 * the hour is left out, once where it comes twice.
 */
const SWITCHES = [
  ['Europe/Berlin', '30 2 * * *', '2026-03-29', 'Sun 2026-03-29 03:00'],
  ['Europe/Berlin', '30 2 * * *', '2026-10-25', 'Sun 2026-10-25 02:30'],
  ['America/New_York', '30 2 * * *', '2026-03-08', 'Sun 2026-03-08 03:00'],
  ['America/New_York', '30 1 * * *', '2026-11-01', 'Sun 2026-11-01 01:30'],
  ['Australia/Lord_Howe', '15 2 * * *', '2026-10-04', 'Sun 2026-10-04 02:30'],
  ['Australia/Lord_Howe', '45 1 * * *', '2026-04-05', 'Sun 2026-04-05 01:45'],
] as const;

/** Every time from `from` until `to`, as a runner that never stops plans them. */
function planBetween(cron: string, timeZone: string, from: number, to: number): string[] {
  const rule = aRule({ cron, timeZone });
  const times: string[] = [];
  let [decided, now] = [from, from];
  for (;;) {
    const { decidedUntil, due, next } = planTimes(rule, decided, now);
    times.push(...due.map((time) => formatZoneTime(new Date(time).toISOString(), timeZone)));
    if (next === null || next.due >= to) return times;
    [decided, now] = [decidedUntil, next.due];
  }
}

for (const [zone, cron, day, time] of SWITCHES) {
  test(`${cron} in ${zone} is once on each day about ${day}, and then at ${time}`, () => {
    const noon = Date.parse(`${day}T12:00:00Z`);
    const times = planBetween(cron, zone, noon - 3 * DAY, noon + 3 * DAY);
    const days = times.map((text) => text.slice(4, 14));
    assert.is(new Set(days).size, days.length);
    assert.ok(days.length >= 5, `${days.length} days`);
    assert.is(times.filter((text) => text === time).length, 1);
  });

  long(`${cron} in ${zone} is once on each day of a year with ${day}`, () => {
    const times = planBetween(cron, zone, YEAR, NEXT_YEAR);
    const days = times.map((text) => text.slice(4, 14));
    assert.is(new Set(days).size, days.length);
    assert.ok(days.length >= 364, `${days.length} days`);
    assert.ok(times.includes(time));
  });
}

test.run();
