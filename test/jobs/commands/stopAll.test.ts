import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createStopAll } from '../../../src/jobs/commands/stopAll.ts';
import { budgetStage } from '../../policy/budgets/stage.ts';

const test = suite('a stop of all jobs');

async function stage(jobs: number) {
  const world = await budgetStage({ limit: 1 });
  for (let n = 1; n <= jobs; n += 1) await world.start(`job-${n}`);
  return { ...world, ...createStopAll({ ...world, jobs: world.jobs }) };
}

test('every job is paused, those that work and those that wait, and says why (JOB-11)', async () => {
  const { stopAll, context } = await stage(3);
  assert.equal(await stopAll(), { paused: 3, resting: 0 });
  const causes = ['job-1', 'job-2', 'job-3'].map((id) => context(id).parked?.cause);
  assert.equal(causes, ['stop-all', 'stop-all', 'stop-all']);
});

test('a job that a person has paused before keeps its own reason', async () => {
  const { stopAll, commands, context } = await stage(2);
  await commands.pause('job-2', { by: 'open' });
  assert.equal(await stopAll(), { paused: 1, resting: 1 });
  assert.is(context('job-2').parked?.cause, undefined);
});

test('more jobs than one commit takes are paused as well', async () => {
  const { stopAll } = await stage(201);
  assert.equal(await stopAll(), { paused: 201, resting: 0 });
});

test('without a job there is nothing to pause', async () => {
  const { stopAll } = await stage(0);
  assert.equal(await stopAll(), { paused: 0, resting: 0 });
});

test.run();
