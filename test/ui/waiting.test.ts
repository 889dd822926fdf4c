import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { waitingOf } from '../../ui/inbox/waiting.ts';
import { added, titleOf } from '../../ui/shell/attention.ts';
import { parked, summary } from '../support/summaries.ts';

const test = suite('dashboard: what needs a person');

const at = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`;

test('approvals, questions, halted campaigns, failures and escalations wait for a person, the longest wait first (UI-1)', () => {
  const jobs = [
    summary('works'),
    summary('event', { parked: parked('event', at(0)) }),
    summary('paused', { parked: parked('paused', at(0)) }),
    summary('sub-runs', { parked: parked('subRuns', at(0)) }),
    summary('failed', { ended: true, status: 'failed', updatedAt: at(5) }),
    summary('escalated', { ended: true, status: 'escalated', updatedAt: at(4) }),
    summary('complete', { ended: true, status: 'complete' }),
    summary('cancelled', { ended: true, status: 'cancelled' }),
    summary('halted', { parked: parked('halted', at(3)) }),
    summary('question', { parked: parked('developer', at(2)) }),
    summary('plan', { parked: parked('approval', at(1)) }),
  ];
  assert.equal(
    waitingOf(jobs, new Set()).map(({ jobId, ask, since }) => [jobId, ask, since]),
    [
      ['plan', 'approval', at(1)],
      ['question', 'input', at(2)],
      ['halted', 'halted', at(3)],
      ['escalated', 'escalated', at(4)],
      ['failed', 'failed', at(5)],
    ],
  );
});

test('a job that has ended can be dismissed, one that waits cannot; a second failure is a new item', () => {
  const failed = summary('f', { ended: true, status: 'failed', updatedAt: at(1) });
  const plan = summary('p', { parked: parked('approval', at(1)) });
  const aside = new Set(waitingOf([failed, plan], new Set()).map(({ key }) => key));
  assert.equal(
    waitingOf([failed, plan], aside).map(({ jobId }) => jobId),
    ['p'],
  );
  assert.equal(
    waitingOf([{ ...failed, updatedAt: at(2) }], aside).map(({ jobId }) => jobId),
    ['f'],
  );
});

test('only new items notify, and none that existed when the page was opened', () => {
  const [one] = waitingOf([summary('a', { parked: parked('approval', at(1)) })], new Set());
  assert.ok(one);
  assert.equal(added(null, [one]), []);
  assert.equal(added(new Set(), [one]), [one]);
  assert.equal(added(new Set([one.key]), [one]), []);
});

test('the title of the window counts what waits', () => {
  assert.equal(titleOf(0, 'Jobs'), 'Jobs · svc');
  assert.equal(titleOf(3, 'Jobs'), '(3) Jobs · svc');
});

test.run();
