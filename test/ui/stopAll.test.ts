import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JobCounts } from '../../src/contract/schema/api/replies.ts';
import {
  sumOpenJobs,
  describeOpenJobs,
  describeStopAllReply,
} from '../../ui/shell/notices/StopAll.tsx';

const test = suite('dashboard: stop of all jobs');

const COUNTS: JobCounts = {
  total: 20,
  needs: { me: 6, decide: 3, review: 1, broken: 2, snoozed: 0, proposals: 4 },
  failures: { failed: 3, subRuns: 0, escalated: 0 },
  is: {
    'needs-you': 6,
    queued: 1,
    working: 2,
    waiting: 4,
    failed: 3,
    partial: 1,
    complete: 5,
    cancelled: 1,
  },
  repos: [],
  workflows: [],
};

test('jobs that have ended are not counted, also where they need a person', () => {
  assert.is(sumOpenJobs(COUNTS), 11);
});

test('it is shown how many work, are queued and wait', () => {
  assert.is(describeOpenJobs(COUNTS), '11 jobs have not ended: 2 at work, 1 queued, 8 waiting.');
});

test('what came of it names jobs that rested already, where there are some', () => {
  assert.is(describeStopAllReply({ paused: 1, resting: 0 }), '1 job is paused.');
  assert.is(
    describeStopAllReply({ paused: 2, resting: 3 }),
    '2 jobs are paused. 3 jobs were paused already, or wait for a person anyway.',
  );
});

test.run();
