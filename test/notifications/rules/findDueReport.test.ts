import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ReportTimes } from '../../../src/contract/schema/runner/notificationSettings.ts';
import { findDueReport } from '../../../src/notifications/rules/findDueReport.ts';

const test = suite('notifications: when a report is due');

const DAILY: ReportTimes = { every: 'day', at: '08:00', weekday: 'mon', zone: 'Europe/Berlin' };
const find = (at: string, times: ReportTimes) => findDueReport(Date.parse(at), times);

test('a daily report is due from its time of day on, by the clocks of its zone', () => {
  assert.is(find('2026-06-10T05:59:00Z', DAILY), null);
  assert.equal(find('2026-06-10T06:00:00Z', DAILY), { id: 'report/day/2026-06-10', days: 1 });
  assert.equal(find('2026-12-10T07:00:00Z', DAILY), { id: 'report/day/2026-12-10', days: 1 });
});

test('it has one id all day, also where clocks change', () => {
  assert.is(find('2026-10-25T07:30:00Z', DAILY)?.id, find('2026-10-25T22:59:00Z', DAILY)?.id);
});

test('a weekly report is due on its weekday only', () => {
  const weekly = { ...DAILY, every: 'week' } as const;
  assert.is(find('2026-06-10T12:00:00Z', weekly), null);
  assert.equal(find('2026-06-08T12:00:00Z', weekly), { id: 'report/week/2026-06-08', days: 7 });
});

test.run();
