import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { plainReason, plainStatus, stateText } from '../../ui/jobs/plainText.ts';
import { parked, summary } from '../support/summaries.ts';

const test = suite('dashboard: statuses and reasons in plain words');

test('a status is a few words with a capital', () => {
  const statuses = [
    'awaiting-pr-merge',
    'coding:item',
    'escalated',
    'complete',
    'campaign_planning',
  ];
  assert.equal(statuses.map(plainStatus), [
    'Awaiting pull request merge',
    'Coding item',
    'Asks for help',
    'Complete',
    'Campaign planning',
  ]);
});

test('a job that waits says for what, also when it is paused; one that has ended how', () => {
  const jobs = [
    summary('a', { status: 'awaiting-plan-approval', parked: parked('approval') }),
    summary('a', { status: 'coding', parked: parked('paused') }),
    summary('a', { status: 'coding' }),
    summary('a', { status: 'failed', ended: true }),
    summary('a', {
      status: 'complete',
      ended: true,
      subRunFailures: { failed: 1, escalated: 0, text: 'complete, 1 sub-run failed' },
    }),
  ];
  assert.equal(jobs.map(stateText), [
    'Waiting for approval',
    'Paused',
    'Coding',
    'Failed',
    'Complete, 1 sub-run failed',
  ]);
});

test('a reason does not begin with the name of its phase, nor with a name of the code', () => {
  const reasons = [
    'phase work: the program ended with exit code 3',
    "phase work waits for a developer's approval",
    'session.open of phase work was cut off by restarts without progress (5 attempts): it died',
    'which phase work: is it?',
    'the first line\nphase work: the second',
  ];
  assert.equal(reasons.map(plainReason), [
    'The program ended with exit code 3',
    'Waits for your approval',
    'The session of the agent was cut off by restarts without progress (5 attempts): it died',
    'Which phase work: is it?',
    'The first line\nphase work: the second',
  ]);
});

test.run();
