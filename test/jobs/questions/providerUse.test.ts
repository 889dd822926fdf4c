import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Why } from '../../../src/kernel/questions.ts';
import { createProviderUse } from '../../../src/jobs/questions/providerUse.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import { SteppedJob } from '../../support/charts/jobSteps.ts';

const test = suite('jobs whose forge or tracker is not installed');

/** A job that waits for its pull request minihub:acme/shop#1, with what there is to ask about it. */
function waitingJob() {
  const { prs, jobs } = openStore({ file: ':memory:', pid: 1, now: 0 });
  const job = new SteppedJob();
  job.reach('coding').createPr(1);
  job.awaitEvent();
  job.end();
  const context = {
    ...job.context,
    params: { jiraTicketId: 'MT-1', trackerProvider: 'minitick' },
    prs: job.context.prs.map((pr) => ({ ...pr, forge: 'minihub', prId: 'minihub:acme/shop#1' })),
  };
  const forges = ['local', 'minihub'];
  const trackers = ['minitick'];
  const logged: unknown[] = [];
  const use = createProviderUse({
    store: {
      prs,
      jobs: Object.assign(jobs, { rows: () => [1], readIds: () => ['shop-job-1'] }),
    },
    forges: { ids: () => forges },
    trackers: { ids: () => trackers },
    remote: { problems: {} },
    log: { warn: (...line: unknown[]) => void logged.push(line) },
    readState: () => ({ ...job.state, context }),
  });
  const why: Why = {
    id: 'shop-job-1',
    state: ['parked.event'],
    since: 0,
    waitsFor: ['for an event of one of its pull requests'],
    waysOut: [
      { event: 'forge.event', from: 'the forge', target: 'queued', open: 'depends', guards: [] },
    ],
    pendingEffects: [],
    timers: [],
  };
  return { use, why, forges, trackers, logged };
}

test('why says that the forge is not installed, and that its news cannot move the job (UI-4)', () => {
  const { use, why, forges } = waitingJob();
  assert.equal(use.withMissing(why), why);
  forges.pop();
  const { waitsFor, waysOut } = use.withMissing(why);
  assert.equal(waitsFor, [
    'for an event of one of its pull requests',
    'the forge minihub is not installed, so its events cannot reach this job',
  ]);
  assert.equal(waysOut[0]?.open, false);
  assert.equal(waysOut[0]?.guards, [{ name: '', says: 'its forge is installed', value: false }]);
});

test('a tracker that is not installed is named as well; a job that has ended needs nothing', () => {
  const { use, why, trackers } = waitingJob();
  trackers.pop();
  assert.equal(use.withMissing(why).waitsFor.slice(1), [
    'the tracker minitick is not installed, so its events cannot reach this job',
  ]);
  const endedJob = { ...why, state: ['ended.complete'] };
  assert.equal(use.withMissing(endedJob), endedJob);
});

test('the jobs of a plugin are listed with what they need of it', async () => {
  const { use } = waitingJob();
  const needed = async (id: string) => (await use.pluginJobs(id)).map(({ needs }) => needs);
  assert.equal(
    [await needed('minihub'), await needed('minitick'), await needed('local')],
    [[['pull request minihub:acme/shop#1']], [['ticket MT-1']], []],
  );
});

test("the runner's log names a forge that was removed while jobs need it, once", async () => {
  const { use, forges, logged } = waitingJob();
  forges.pop();
  await use.reportRemoved();
  await use.reportRemoved();
  assert.equal(logged, [
    [
      { plugin: 'minihub', jobs: ['shop-job-1'], count: 1 },
      'jobs need a forge or tracker that is not installed',
    ],
  ]);
});

test.run();
