import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findQuietEnd } from '../../../src/notifications/rules/findQuietEnd.ts';

const test = suite('notifications: quiet hours');

/** The end of quiet hours from 22:00 to 07:00, as UTC. */
const formatQuietEnd = (at: string, zone: string, from = '22:00', to = '07:00'): string =>
  new Date(findQuietEnd(Date.parse(at), { from, to, zone })).toISOString();

test('a message within them waits for their end, one outside does not wait', () => {
  assert.is(formatQuietEnd('2026-06-10T21:30:10Z', 'UTC'), '2026-06-10T21:30:10.000Z');
  assert.is(formatQuietEnd('2026-06-10T22:00:00Z', 'UTC'), '2026-06-11T07:00:00.000Z');
  assert.is(formatQuietEnd('2026-06-11T06:59:59Z', 'UTC'), '2026-06-11T07:00:00.000Z');
  assert.is(formatQuietEnd('2026-06-11T07:00:00Z', 'UTC'), '2026-06-11T07:00:00.000Z');
});

test('hours of one day do not contain midnight', () => {
  assert.is(
    formatQuietEnd('2026-06-10T12:15:00Z', 'UTC', '12:00', '13:00'),
    '2026-06-10T13:00:00.000Z',
  );
  assert.is(
    formatQuietEnd('2026-06-10T23:00:00Z', 'UTC', '12:00', '13:00'),
    '2026-06-10T23:00:00.000Z',
  );
});

test('they follow the clocks of their zone', () => {
  assert.is(formatQuietEnd('2026-06-10T21:00:00Z', 'Europe/Berlin'), '2026-06-11T05:00:00.000Z');
  assert.is(formatQuietEnd('2026-06-10T21:00:00Z', 'Asia/Kolkata'), '2026-06-11T01:30:00.000Z');
});

test('the night in which clocks go forward is an hour shorter, in three zones', () => {
  assert.is(formatQuietEnd('2026-03-28T21:30:00Z', 'Europe/Berlin'), '2026-03-29T05:00:00.000Z');
  assert.is(formatQuietEnd('2026-03-08T04:00:00Z', 'America/New_York'), '2026-03-08T11:00:00.000Z');
  assert.is(formatQuietEnd('2026-10-03T12:30:00Z', 'Australia/Sydney'), '2026-10-03T20:00:00.000Z');
});

test('the night in which clocks go back is an hour longer, in three zones', () => {
  assert.is(formatQuietEnd('2026-10-24T20:30:00Z', 'Europe/Berlin'), '2026-10-25T06:00:00.000Z');
  assert.is(formatQuietEnd('2026-11-01T03:00:00Z', 'America/New_York'), '2026-11-01T12:00:00.000Z');
  assert.is(formatQuietEnd('2026-04-04T12:00:00Z', 'Australia/Sydney'), '2026-04-04T21:00:00.000Z');
});

test('an end that a clock change skips is the first minute after it', () => {
  assert.is(
    formatQuietEnd('2026-03-29T00:30:00Z', 'Europe/Berlin', '01:00', '02:30'),
    '2026-03-29T01:00:00.000Z',
  );
});

test('an end that comes twice is the first of both, and the second one is quiet again', () => {
  const quiet = ['Europe/Berlin', '01:00', '02:30'] as const;
  assert.is(formatQuietEnd('2026-10-24T23:30:00Z', ...quiet), '2026-10-25T00:30:00.000Z');
  assert.is(formatQuietEnd('2026-10-25T01:10:00Z', ...quiet), '2026-10-25T01:30:00.000Z');
});

test.run();
