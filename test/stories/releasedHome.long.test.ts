import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { releasedHome } from '../support/releasedHome.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('stories: the home of release 0.2');
const long = longLane(test);

const { story, jobs } = releasedHome('0.2');

/** Id of the job that was left in this rest. */
const getJobId = (name: string): string => {
  const id = jobs[name];
  if (id === undefined) throw new Error(`there is no job ${name} in this home`);
  return id;
};

const complete = (job: Job): boolean => job.status === 'complete';
const parked = (kind: string) => (job: Job) => job.parked?.kind === kind;

test.before(async () => {
  // The programs of the team end by themselves once this file exists.
  story.write(`${story.home}/ready`, '');
  await story.runner.start();
});
test.after(() => story.end());

/**
 * Merges the only pull request of a job that waits for it; the job then completes. All jobs of that
 * home propose the same change: a poll may find it in the base branch before this does.
 */
async function mergeAndFinish(name: string): Promise<void> {
  const { ended, prMappings } = await story.until(
    getJobId(name),
    (job) => parked('event')(job) || complete(job),
  );
  if (!ended)
    await story.client.mergePullRequest('repo', prMappings[0]?.number ?? 0, { author: 'ann' });
  await story.until(getJobId(name), complete);
}

/** Approves the sub-runs of a parent in sequence; the parent then completes. */
async function approveSubRuns(name: string): Promise<void> {
  for (const subRun of ['first', 'second']) {
    const parent = await story.until(getJobId(name), ({ subRuns }) =>
      subRuns.some((one) => one.name === subRun && one.jobId !== null),
    );
    const jobId = parent.subRuns.find((one) => one.name === subRun)?.jobId ?? '';
    await story.until(jobId, parked('approval'));
    await story.client.resume(jobId, { eventKey: 'approve' });
  }
  await story.until(getJobId(name), complete);
}

test('a job parked at approval is approved without naming what was shown, and continues to its end (RUN-4 JOB-5)', async () => {
  await story.client.resume(getJobId('approval'), { eventKey: 'approve' });
  await mergeAndFinish('approval');
});

test('a job parked on an event is woken by it (RUN-4 JOB-6)', async () => {
  await mergeAndFinish('event');
});

test('an approval in a visit row of that release counts: a phase after it can be rerun (RUN-4 JOB-9)', async () => {
  const { phases } = await story.client.job(getJobId('complete'));
  assert.is(phases.find(({ phase }) => phase === 'planning')?.approvedBy, 'developer');
  await story.client.rerun(getJobId('complete'), 'closing');
  await story.until(getJobId('complete'), complete);
});

long(
  'a job paused while it waited for an event waits again after a resume (RUN-4 JOB-9)',
  async () => {
    await story.client.resume(getJobId('pausedEvent'), { eventKey: 'manual-resume' });
    await mergeAndFinish('pausedEvent');
  },
);

for (const name of ['developer', 'failed', 'pausedSession', 'pausedQueued']) {
  test(`a job left in ${name} completes after a resume (RUN-4 JOB-9)`, async () => {
    await story.client.resume(getJobId(name), { eventKey: 'manual-resume' });
    await story.until(getJobId(name), complete);
  });
}

for (const name of ['queued', 'working1', 'working2', 'working3']) {
  long(`a job left in ${name} completes by itself (RUN-4)`, async () => {
    await story.until(getJobId(name), complete);
  });
}

test('an escalated job can be cancelled (RUN-4 JOB-9)', async () => {
  await story.client.cancel(getJobId('escalated'), {});
  assert.is((await story.client.job(getJobId('escalated'))).status, 'cancelled');
});

test('a parent that waits for its sub-runs continues when they have ended (RUN-4 SUB-2)', async () => {
  await approveSubRuns('subRuns');
});

long(
  'a parent paused while it waited for its sub-runs waits again after a resume (RUN-4 SUB-2)',
  async () => {
    await story.client.resume(getJobId('pausedSubRuns'), { eventKey: 'manual-resume' });
    await approveSubRuns('pausedSubRuns');
  },
);

test('a halted campaign continues after a rerun of the sub-run that failed (RUN-4 SUB-6)', async () => {
  await story.client.rerunSubRun(getJobId('halted'), 'first', {});
  await story.until(getJobId('halted'), complete);
});

for (const name of ['complete', 'headlessHalt', 'settledWithFailure']) {
  long(`a campaign or job left ${name} is not reopened by the upgrade (RUN-4 SUB-4)`, async () => {
    assert.is((await story.client.job(getJobId(name))).status, 'complete');
  });
}

long('a cancelled job stays cancelled (RUN-4)', async () => {
  assert.is((await story.client.job(getJobId('cancelled'))).status, 'cancelled');
});

test.run();
