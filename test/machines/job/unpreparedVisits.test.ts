import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { phase, SteppedJob, workflow } from '../../support/charts/jobSteps.ts';

const test = suite('job: visits that were never prepared');

const review = phase('review', { interactive_checkpoint: true });
const BEFORE = workflow([phase('planning'), phase('coding'), phase('testing')]);
const AFTER = workflow([phase('planning'), review, phase('coding'), phase('testing')]);

/**
 * On its way from planning to coding, in a visit that is being prepared, while its author puts a
 * checkpoint between.
 */
function onItsWay(): SteppedJob {
  const job = new SteppedJob(BEFORE).run();
  const { visit, session } = job.context;
  job.send({
    type: 'session.ended',
    visit,
    session,
    stopReason: 'end_turn',
    error: null,
    usage: null,
  });
  assert.equal(job.at, 'working.preparing');
  assert.equal(job.context.phase, 'coding');
  return job;
}

const unprepared = (job: SteppedJob): boolean =>
  job.send({
    type: 'phase.unprepared',
    visit: job.context.visit,
    message: 'no such branch',
    diagnostics: [],
  });

const CUTS: Record<string, (job: SteppedJob) => unknown> = {
  'paused and resumed': (job) => [job.pause(), job.resume()],
  'paused, and a message comes': (job) => [job.pause(), job.message()],
  'given up and resumed': (job) => [
    job.givenUp('phase.prepare', { visit: job.context.visit }),
    job.resume(),
  ],
  'to be repaired, and resumed': (job) => [unprepared(job), job.resume()],
  'to be repaired, and run again': (job) => [unprepared(job), job.rerun('coding')],
  'cancelled and run again': (job) => [job.cancel(), job.rerun('coding')],
};

for (const [name, cut] of Object.entries(CUTS)) {
  test(`a preparation that is ${name} is no way past a checkpoint that appeared meanwhile (JOB-5)`, () => {
    const job = onItsWay();
    cut(job);
    job.slot();
    job.prepared({ workflow: AFTER });
    job.run();
    assert.equal(job.at, 'working.inSession');
    assert.equal(job.context.phase, 'review');
    assert.is(job.end().at, 'parked.approval');
    job.approve();
    assert.is(job.run().context.phase, 'coding');
  });
}

test('a rerun of a later phase is measured from the last phase that was prepared (JOB-5, JOB-9)', () => {
  const job = new SteppedJob(AFTER).run();
  job.end();
  assert.is(job.context.phase, 'review');
  job.end();
  job.rerun('planning');
  job.slot();
  job.pause();
  assert.is(job.rerun('coding'), false);
});

const SWITCHED = workflow(
  [
    phase('planning', { interactive_checkpoint: true }),
    phase('waiting', { agent: null }),
    phase('testing'),
  ],
  {
    coordinator: {
      enabled: true,
      parkPhase: 'waiting',
      parkStatus: 'awaiting-sub-runs',
      resumePhase: 'testing',
      subRunWorkflowPath: 'workflows/sub-run.md',
      subRunParamsDefault: {},
      maxParallelSubRuns: 1,
      failurePolicy: 'continue',
      forwardSiblingInsights: false,
    },
  },
);

test('sub-runs that end before the first phase of another workflow was prepared do not lead past its checkpoint (SUB-4, JOB-5)', () => {
  const job = new SteppedJob(BEFORE).run();
  job.tool('switch_workflow', {
    workflowPath: 'workflows/other.md',
    workflow: SWITCHED,
    toPhase: 'planning',
    reason: 'fits better',
  });
  const { visit, session } = job.context;
  job.send({
    type: 'session.ended',
    visit,
    session,
    stopReason: 'end_turn',
    error: null,
    usage: null,
  });
  unprepared(job);
  job.send({ type: 'subRuns.reopened' });
  assert.is(job.at, 'parked.developer');
  job.resume();
  job.send({ type: 'subRuns.settled', counts: { complete: 1 }, failures: [], failed: 0 });
  assert.equal(job.run().at, 'working.inSession');
  assert.equal(job.context.phase, 'planning');
  assert.is(job.end().at, 'parked.approval');
});

test.run();
