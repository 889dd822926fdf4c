import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { JOB_WORKFLOW, phase, SteppedJob, workflow } from '../../support/charts/jobSteps.ts';

const test = suite('job: preparation of a visit');

const started = () => {
  const job = new SteppedJob();
  job.slot();
  return job;
};

test('the slot begins a visit: its row, and the preparation of its workspace (JOB-3, INT-1)', () => {
  const job = started();
  assert.equal(
    job.effects.filter(({ type }) => type !== 'frame.add'),
    [
      {
        type: 'row.put',
        params: {
          table: 'phase_visits',
          row: {
            job_id: 'shop-job-1',
            visit: 1,
            phase: 'planning',
            status: 'planning',
            started_at: job.now,
            ended_at: null,
            sessions: 0,
            overlay_hash: null,
            outcome: null,
            approved_by: null,
          },
        },
      },
      {
        type: 'phase.prepare',
        params: { visit: 1, phase: 'planning', workflowPath: 'workflows/job.md', params: {} },
      },
    ],
  );
});

test('the first visit shows initial_status, later ones that of the phase (JOB-2)', () => {
  const job = new SteppedJob(
    workflow([phase('plan'), phase('code')], { initial_status: 'warming-up' }),
  );
  assert.is(job.status, 'queued');
  job.run();
  assert.is(job.status, 'warming-up');
  job.goto('plan');
  job.end();
  assert.is(job.status, 'plan');
});

test('what was resolved for this visit is what counts: workflow, status, checkout, hash (INT-1)', () => {
  const job = started();
  const resolved = {
    ...JOB_WORKFLOW,
    phases: JOB_WORKFLOW.phases.map((each) => ({ ...each, model: 'planning' })),
  };
  job.prepared({ workflow: resolved, checkout: { dir: 'shop', absDir: '/w/shop' } });
  assert.equal(job.context.workflow, resolved);
  assert.equal(job.context.params, { repoCheckoutDir: 'shop', repoCheckoutAbsDir: '/w/shop' });
  assert.is(job.rows('phase_visits')[0]?.overlay_hash, 'hash-1');
  assert.equal(job.effect('session.open')?.phase, resolved.phases[0]);
});

test('a preparation of another visit is refused', () => {
  const job = started();
  assert.equal(job.prepared({ visit: 2 }), false);
  assert.equal(
    job.send({ type: 'phase.unprepared', visit: 0, message: 'no', diagnostics: [] }),
    false,
  );
});

test('a phase that the workflow has lost fails the job and is named; a rerun of one that it has continues', () => {
  const job = started();
  job.prepared({ workflow: workflow([phase('coding'), phase('testing')]) });
  assert.equal(job.at, 'ended.failed');
  assert.equal(
    job.context.escalationMessage,
    'phase planning is no longer in the workflow, which has coding, testing; rerun one of these or cancel the job',
  );
  assert.equal(job.rerun('planning'), false);
  assert.equal(job.rerun('testing'), true);
  assert.equal(job.run().at, 'working.inSession');
  assert.equal(job.context.phase, 'testing');
});

test('a workflow that does not lint fails the job with the message', () => {
  const job = started();
  job.send({
    type: 'phase.unprepared',
    visit: 1,
    message: 'workflows/job.md:3:1 phases is missing',
    diagnostics: [],
  });
  assert.equal(job.at, 'ended.failed');
  assert.equal(job.context.escalationMessage, 'workflows/job.md:3:1 phases is missing');
});

test('a table that is too large for the context fails the job', () => {
  const job = started();
  job.prepared({ workflow: workflow([phase('planning', { obligations: ['x'.repeat(13_000)] })]) });
  assert.is(job.at, 'ended.failed');
  assert.ok(JSON.stringify(job.context).length < 8_000);
});

test('while a disk is low the phase is not prepared: the job queues, and the same visit is prepared with its next slot', () => {
  const job = started();
  job.send({ type: 'phase.postponed', visit: 1, disk: 'the disk of /var/svc has 300 MB free' });
  assert.is(job.at, 'queued');
  assert.is(job.chart.index(job.state).slot, false);
  assert.is(job.rows('phase_visits').length, 1);
  job.run();
  assert.is(job.at, 'working.inSession');
  assert.equal([job.context.visit, job.context.session], [1, 1]);
  assert.is(job.effect('session.open')?.continued, undefined);
  assert.is(job.rows('phase_visits')[0]?.ended_at, null);
});

test.run();
