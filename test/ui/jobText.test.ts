import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  formatAge,
  toArtefactUrl,
  formatShortCount,
  formatDuration,
  formatKibibytes,
  formatJobTitle,
  pickJobTone,
  pickStateTone,
  describePhaseVisit,
} from '../../ui/jobs/jobText.ts';
import { parked, summary } from '../support/summaries.ts';

const test = suite('dashboard: words about a job');

test('a job that waits for a person stands out; others say whether they work, wait, or how they ended (UI-1)', () => {
  const jobs = [
    summary('a', { parked: parked('approval') }),
    summary('a', { parked: parked('developer') }),
    summary('a', { parked: parked('halted') }),
    summary('a', { parked: parked('event') }),
    summary('a', { parked: parked('paused') }),
    summary('a', { parked: parked('subRuns') }),
    summary('a', { status: 'queued' }),
    summary('a', { status: 'coding:item' }),
    ...['complete', 'failed', 'escalated', 'cancelled'].map((status) =>
      summary('a', { status, ended: true }),
    ),
  ];
  assert.equal(jobs.map(pickJobTone), [
    'needs-you',
    'needs-you',
    'needs-you',
    'waiting',
    'waiting',
    'waiting',
    'queued',
    'working',
    'good',
    'bad',
    'bad',
    'over',
  ]);
});

test('the state of a job that failed is bad, also while it needs a person, which its mark in the list shows', () => {
  const needs = { group: 'broken', ask: 'failed', since: '2026-01-10T12:00:00Z' } as const;
  const failed = summary('a', { status: 'failed', ended: true, needs });
  assert.is(pickStateTone(failed), 'bad');
  assert.is(pickJobTone(failed), 'needs-you');
  assert.is(pickStateTone(summary('a', { parked: parked('approval') })), 'needs-you');
});

test('ages come in one unit, and a clock that is behind makes none of them negative', () => {
  const now = Date.parse('2026-01-10T12:00:00Z');
  const times = ['10T12:00:09Z', '10T11:59:01Z', '10T11:57:00Z', '10T09:30:00Z', '07T11:00:00Z'];
  assert.equal(
    times.map((time) => formatAge(`2026-01-${time}`, now)),
    ['now', 'now', '3 min', '2 h', '3 d'],
  );
});

test('lengths of time come in their two largest units', () => {
  assert.equal([-5, 0, 40, 1_440, 12_400, 185_000, 3_600_000, 90_000_000].map(formatDuration), [
    '0 ms',
    '0 ms',
    '40 ms',
    '1.4 s',
    '12 s',
    '3 min 5 s',
    '1 h',
    '1 d 1 h',
  ]);
  assert.equal(formatKibibytes(0), '0 B');
  assert.equal(formatKibibytes(1023), '1023 B');
  assert.equal(formatKibibytes(1025), '2 KiB');
  assert.equal(formatShortCount(999), '999');
  assert.equal(formatShortCount(12_345), '12.3 k');
  assert.equal(formatShortCount(1_234_567), '1.2 M');
});

test('a visit of a phase says who approved it, else how it ended, else that it runs', () => {
  const texts = [
    describePhaseVisit({ endedAt: 'x', outcome: 'approval', approvedBy: 'developer' }),
    describePhaseVisit({ endedAt: 'x', outcome: 'approval', approvedBy: 'token' }),
    describePhaseVisit({ endedAt: 'x', outcome: 'await_event', approvedBy: null }),
    describePhaseVisit({ endedAt: 'x', outcome: null, approvedBy: null }),
    describePhaseVisit({ endedAt: null, outcome: null, approvedBy: null }),
  ];
  assert.equal(texts, [
    'approved by developer',
    'approved with the token',
    'await event',
    'ended',
    'running',
  ]);
});

test('a job is called by the first line of its description, else by its id; links have their parts encoded', () => {
  assert.equal(formatJobTitle({ id: 'j', description: ' One \nTwo' }), 'One');
  assert.equal(formatJobTitle({ id: 'j', description: '\n' }), 'j');
  assert.is(toArtefactUrl('j 1', 'a/2'), '/jobs/j%201/artifacts/a%2F2/content');
});

test.run();
