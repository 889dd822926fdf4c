import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { age, artefactUrl, diffUrl, hashOf, jobInHash, size, toneOf, visitText } from '../../ui/logic/jobText.ts';

const test = suite('dashboard: words about a job');

const parked = (kind: 'approval' | 'event' | 'developer' | 'paused') => ({ kind, since: '2026-01-01T00:00:00Z', reason: '' });

test('a job that waits for a person stands out; others say whether they work, wait, or how they ended (UI-1)', () => {
  const tones = [
    toneOf({ status: 'awaiting-plan-approval', ended: false, parked: parked('approval') }),
    toneOf({ status: 'awaiting-developer-input', ended: false, parked: parked('developer') }),
    toneOf({ status: 'awaiting-pr-merge:a', ended: false, parked: parked('event') }),
    toneOf({ status: 'coding', ended: false, parked: parked('paused') }),
    toneOf({ status: 'queued', ended: false, parked: null }),
    toneOf({ status: 'coding:a', ended: false, parked: null }),
    toneOf({ status: 'complete', ended: true, parked: null }),
    toneOf({ status: 'failed', ended: true, parked: null }),
    toneOf({ status: 'escalated', ended: true, parked: null }),
    toneOf({ status: 'cancelled', ended: true, parked: null }),
  ];
  assert.equal(tones, ['needs-you', 'needs-you', 'waiting', 'waiting', 'waiting', 'working', 'good', 'bad', 'bad', 'over']);
});

test('ages come in one unit, and a clock that is behind makes none of them negative', () => {
  const now = Date.parse('2026-01-10T12:00:00Z');
  const ages = [
    '2026-01-10T12:00:09Z',
    '2026-01-10T11:59:01Z',
    '2026-01-10T11:57:00Z',
    '2026-01-10T09:30:00Z',
    '2026-01-07T11:00:00Z',
  ];
  assert.equal(
    ages.map((iso) => age(iso, now)),
    ['now', 'now', '3 min', '2 h', '3 d'],
  );
  assert.equal([size(0), size(1023), size(1025)], ['0 B', '1023 B', '2 KiB']);
});

test('a visit of a phase says who approved it, else how it ended, else that it runs', () => {
  const texts = [
    visitText({ endedAt: 'x', outcome: 'approval', approvedBy: 'developer' }),
    visitText({ endedAt: 'x', outcome: 'await_event', approvedBy: null }),
    visitText({ endedAt: 'x', outcome: null, approvedBy: null }),
    visitText({ endedAt: null, outcome: null, approvedBy: null }),
  ];
  assert.equal(texts, ['approved by developer', 'await_event', 'ended', 'running']);
});

test('the address of a job survives the way there and back, whatever its id', () => {
  for (const id of ['shop-job-1767225600000', 'a/b?c#d e', 'ü%20']) assert.is(jobInHash(hashOf(id)), id);
  assert.equal(['', '#/', '#/jobs/', '#/jobs/a/b', '#/other'].map(jobInHash), [null, null, null, null, null]);
});

test('links lead to the runner alone, with ids and slugs encoded', () => {
  assert.is(artefactUrl('j 1', 'a/2'), '/jobs/j%201/artifacts/a%2F2/content');
  assert.is(diffUrl('team/shop', 3), '/forges/local/repos/team%2Fshop/prs/3/diff');
});

test.run();
