import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  splitReason,
  capitalizeReason,
  toPlainReason,
  toPlainStatus,
  describeJobState,
} from '../../ui/jobs/plainText.ts';
import { describeRepair } from '../../machines/job/rules/outage.ts';
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
  assert.equal(statuses.map(toPlainStatus), [
    'Awaiting pull request merge',
    'Coding item',
    'Escalated',
    'Complete',
    'Campaign planning',
  ]);
});

test('the name of a file, and that of svc, keep their small letter', () => {
  const texts = ['mine.sh is missing', 'svc is missing', 'it is missing'];
  assert.equal(texts.map(capitalizeReason), [
    'mine.sh is missing',
    'svc is missing',
    'It is missing',
  ]);
});

test('a job that waits says for what, also when it is paused; one that has ended how', () => {
  const jobs = [
    summary('a', { status: 'awaiting-plan-approval', parked: parked('approval') }),
    summary('a', { status: 'coding', parked: parked('paused') }),
    summary('a', { status: 'coding' }),
    // A phase that mostly waits, whose agent is at work just now.
    summary('a', { status: 'awaiting-pr-merge' }),
    summary('a', { status: 'waiting' }),
    summary('a', { status: 'failed', ended: true }),
    summary('a', {
      status: 'complete',
      ended: true,
      subRunFailures: { failed: 1, escalated: 0, text: 'complete, 1 sub-run failed' },
    }),
  ];
  assert.equal(jobs.map(describeJobState), [
    'Waiting for approval',
    'Paused',
    'Coding',
    'Working',
    'Working',
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
  assert.equal(reasons.map(toPlainReason), [
    'The program ended with exit code 3',
    'Waits for your approval',
    'The agent session was cut off by restarts without progress (5 attempts): it died',
    'Which phase work: is it?',
    'The first line\nphase work: the second',
  ]);
});

test('of a program that has written a stack, a line tells what happened and the rest is apart', () => {
  const stack =
    "phase doing: node ended with exit code 1. The end of its stderr:\nfile:///x/does.mjs:14\n  throw new Error('no server');\n        ^\n\nError: no server\n    at file:///x/does.mjs:14:9";
  const { says, short, rest } = splitReason(stack);
  assert.is(short, 'Error: no server');
  assert.is(says, 'Node ended with exit code 1. Error: no server');
  assert.match(rest ?? '', /^file:\/\/\/x\/does.mjs:14\n.*does.mjs:14:9$/s);
});

test('a reason in one line is not cut; so does the first line of one that names no error', () => {
  assert.equal(splitReason('it broke\n'), { says: 'It broke', short: 'It broke', rest: null });
  assert.equal(splitReason('it broke\nsomewhere'), {
    says: 'It broke',
    short: 'It broke',
    rest: 'somewhere',
  });
});

test('a job that cannot be read is not shown in its last known state', () => {
  const job = { ended: false, parked: null, status: 'queued' };
  const row = (table: string) => [{ table, id: 'job-1', reason: 'why' }];
  assert.is(describeJobState({ ...job, broken: row('actors') }), 'Cannot be read');
  assert.is.not(describeJobState({ ...job, broken: row('insights') }), 'Cannot be read');
});

test('a reason calls the job this job, sub-runs by their names, and leaves out what a limit said', () => {
  const [budget, one, three, quota] = [
    'the budget of job shop-job-17 is spent: $0.25 of $0.40 (set in the configuration)',
    'worker did not succeed: rerun, skip or cancel sub-runs, so that the others can continue',
    'worker, mailer, web did not succeed: rerun, skip or cancel sub-runs, so that the others can continue',
    "the model's endpoint takes no requests for a while (limit of 5 hours); the job continues by itself at 2026-12-01 04:06 UTC: node ended with exit code 1.\nIt wrote no output.",
  ].map(toPlainReason);
  assert.match(budget ?? '', /^The budget of this job is spent/);
  assert.match(one ?? '', /^Failed: worker\. /);
  assert.match(three ?? '', /^Failed: worker, mailer and web\. /);
  assert.match(quota ?? '', /04:06 UTC\.$/);
});

test('what has to be repaired names no command: the page has a button (UI-1)', () => {
  const job = { id: 'shop-job-1', phase: 'coding' };
  for (const until of [null, '2026-01-01T03:00:00.000Z']) {
    const text = toPlainReason(describeRepair(job, 'The key is refused.', until));
    assert.not.match(text, /\bsvc\b/);
    assert.match(text, /The key is refused\. When it is repaired, .*\.$/);
  }
});

test.run();
