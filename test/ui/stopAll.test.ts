import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JobCounts } from '../../src/schema/replies.ts';
import { openCount, openText, stoppedText } from '../../ui/shell/stopAllText.ts';

const test = suite('dashboard: stop of all jobs');

const COUNTS: JobCounts = {
  total: 20,
  needs: { me: 5, decide: 3, broken: 2 },
  is: {
    'needs-you': 5,
    queued: 1,
    working: 2,
    waiting: 4,
    failed: 1,
    partial: 1,
    complete: 5,
    cancelled: 1,
  },
  repos: [],
  workflows: [],
};

test('jobs that have ended are not counted, also where they need a person', () => {
  assert.is(openCount(COUNTS), 10);
});

test('it is shown how many work, are queued and wait', () => {
  assert.is(openText(COUNTS), '10 jobs have not ended: 2 at work, 1 queued, 7 waiting.');
});

test('what came of it names jobs that rested already, where there are some', () => {
  assert.is(stoppedText({ paused: 1, resting: 0 }), '1 job is paused.');
  assert.is(
    stoppedText({ paused: 2, resting: 3 }),
    '2 jobs are paused. 3 jobs were paused already, or wait for a person anyway.',
  );
});

test.run();
