import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  resolveAskedSince,
  formatLocalMinute,
  parseReportPeriod,
  toSinceQuery,
} from '../../ui/report/ReportPage.tsx';
import { isFailedStop, pickStopTone, describeStopCause } from '../../ui/report/describeStops.ts';

const test = suite('dashboard: report');

/** Monday morning, by the clock of this machine. */
const NOW = new Date(2026, 10, 23, 8, 30).getTime();

for (const [since, period] of [
  [undefined, 'night'],
  ['night', 'night'],
  ['24h', '24h'],
  ['7d', '7d'],
  ['2026-11-20T18:00', 'date'],
] as const)
  test(`the address with ${since ?? 'nothing'} is the period ${period} (UI-1)`, () => {
    assert.is(parseReportPeriod(since), period);
  });

test('last night began at six in the evening of the day before', () => {
  assert.is(resolveAskedSince(undefined, NOW), new Date(2026, 10, 22, 18).toISOString());
});

test('a length of time is asked as it is', () => {
  assert.is(resolveAskedSince('24h', NOW), '24h');
});

test('a minute of this clock is asked as an instant', () => {
  assert.is(
    resolveAskedSince('2026-11-20T18:05', NOW),
    new Date(2026, 10, 20, 18, 5).toISOString(),
  );
});

for (const text of ['yesterday', '2026-13-45T18:00'])
  test(`${text} is asked as it is, so that the runner says what is wrong`, () => {
    assert.is(resolveAskedSince(text, NOW), text);
  });

test('an own date is three evenings ago before one is chosen', () => {
  assert.is(toSinceQuery('date', NOW), '2026-11-20T18:00');
});

test('a time is as a field for it takes it', () => {
  assert.is(formatLocalMinute(new Date(2026, 0, 2, 3, 4)), '2026-01-02T03:04');
});

for (const [why, until, tone] of [
  ['failed', null, 'bad'],
  ['escalated', null, 'bad'],
  ['budget', null, 'needs-you'],
  ['budget', '2026-11-24T00:00:00Z', 'waiting'],
] as const)
  test(`a stop for ${why}${until ? ' that ends by itself' : ''} is marked ${tone}`, () => {
    assert.is(pickStopTone({ why, until }), tone);
  });

test('failed and escalated jobs have ended; what is paused has not', () => {
  assert.equal(
    ['failed', 'escalated', 'paused'].map((why) => isFailedStop({ why })),
    [true, true, false],
  );
});

test('why a job has stopped is in words, what is new by its name', () => {
  assert.equal(
    ['stop-all', 'news'].map((why) => describeStopCause({ why })),
    ['Stopped with all jobs', 'news'],
  );
});

test.run();
