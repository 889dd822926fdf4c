import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatZoneTime } from '../../../src/base/time/formatZoneTime.ts';
import { planTimes } from '../../../src/jobs/schedules/planTimes.ts';
import { aRule } from '../../support/charts/scheduleStage.ts';

const test = suite('schedules: which times are due');

const YEAR = Date.UTC(2026, 0, 1);
const NEXT_YEAR = Date.UTC(2027, 0, 1);

/** Zone, a local time of the hour that is left out or repeated, and what it is on those days. */
const ZONES = [
  ['Europe/Berlin', '30 2 * * *', 'Sun 2026-03-29 03:00', 'Sun 2026-10-25 02:30'],
  ['America/New_York', '30 2 * * *', 'Sun 2026-03-08 03:00', null],
  ['America/New_York', '30 1 * * *', null, 'Sun 2026-11-01 01:30'],
  ['Australia/Lord_Howe', '15 2 * * *', 'Sun 2026-10-04 02:30', null],
  ['Australia/Lord_Howe', '45 1 * * *', null, 'Sun 2026-04-05 01:45'],
] as const;

/** Every time of a year, as a runner that never stops plans them. */
function planYear(cron: string, timeZone: string): string[] {
  const rule = aRule({ cron, timeZone });
  const times: string[] = [];
  let [decided, now] = [YEAR, YEAR];
  for (;;) {
    const { decidedUntil, due, next } = planTimes(rule, decided, now);
    times.push(...due.map((time) => formatZoneTime(new Date(time).toISOString(), timeZone)));
    if (next === null || next.due >= NEXT_YEAR) return times;
    [decided, now] = [decidedUntil, next.due];
  }
}

for (const [zone, cron, gap, twice] of ZONES)
  test(`${cron} in ${zone} is once on each day, also on those with 23 and 25 hours`, () => {
    const times = planYear(cron, zone);
    const days = times.map((time) => time.slice(4, 14));
    assert.is(new Set(days).size, days.length);
    assert.ok(days.length >= 364, `${days.length} days`);
    if (gap !== null) assert.ok(times.includes(gap));
    if (twice !== null) assert.is(times.filter((time) => time === twice).length, 1);
  });

test.run();
