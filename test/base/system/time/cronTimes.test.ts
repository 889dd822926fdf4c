import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  findCronProblem,
  isTimeZone,
  listNextCronTimes,
  listPastCronTimes,
} from '../../../../src/base/system/time/cronTimes.ts';

const test = suite('times of cron expressions');

test('five fields and the names of cron are accepted', () => {
  for (const cron of [
    '0 3 * * MON-FRI',
    '*/15 * * * *',
    '@daily',
    '@hourly',
    '0 9 1 */3 *',
    '0 9 * * MON#2',
  ])
    assert.is(findCronProblem(cron), null, cron);
});

test('other forms, values out of range and dates that never come are problems', () => {
  for (const cron of [
    '',
    '* * * *',
    '0 0 3 * * *',
    '61 * * * *',
    '0 3 * * 8',
    '@reboot',
    '0 0 31 2 *',
    'a b c d e',
  ])
    assert.type(findCronProblem(cron), 'string', cron);
});

test('a time zone is a name that this machine knows', () => {
  assert.equal(['Europe/Berlin', 'UTC', 'Mars/Olympus', ''].map(isTimeZone), [
    true,
    true,
    false,
    false,
  ]);
});

test('steps back meet the same times as steps forward, over both changes of the clock', () => {
  const plan = { cron: '15 1,2,3 * * *', timeZone: 'America/New_York' };
  for (const around of [Date.UTC(2026, 2, 6), Date.UTC(2026, 9, 30)]) {
    const forward = listNextCronTimes(plan, around, 15);
    assert.equal(listPastCronTimes(plan, forward.at(-1) ?? 0, 15), forward);
  }
});

test('work at an interval follows the clock of the world on a day with 25 hours', () => {
  const plan = { cron: '*/30 * * * *', timeZone: 'Europe/Berlin' };
  const times = listNextCronTimes(plan, Date.UTC(2026, 9, 24, 22), 10);
  assert.ok(times.slice(1).every((time, index) => time - (times[index] ?? 0) === 1_800_000));
});

test.run();
