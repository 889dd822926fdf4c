import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DurableJob } from '../../support/charts/durableJob.ts';
import { phase, workflow } from '../../support/charts/jobSteps.ts';

const test = suite('views: restarts of the runner in the time of a job');

const INPUT = {
  type: 'job',
  tenantId: 'solo-test',
  workflowPath: 'workflows/job.md',
  workflow: workflow([phase('coding')]),
  params: { description: 'Fix it' },
  interactive: true,
  limits: { gateBlocks: 5, sessionsPerVisit: 10 },
  createdAt: 0,
};

test('every restart without progress is one, also the fifth, which gives the work up (UI-1)', async () => {
  const job = await DurableJob.start(INPUT, 'restarts');
  await job.send({ type: 'slot.granted' });
  const starts: number[] = [];
  for (let restart = 1; restart <= 5; restart += 1) {
    job.clock.advance(1_000);
    starts.push(job.clock.now());
    await job.crash();
  }
  assert.is(job.at, 'parked.developer');
  assert.equal(job.store.frames.listRecoveries(job.id), starts);
  job.close();
});

test.run();
