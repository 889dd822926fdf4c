import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildListRows } from '../../../machines/job/buildListRows.ts';
import { MAX_OUTAGE_WAITS } from '../../../machines/job/rules/outage.ts';
import { JOB_WORKFLOW, phase, SteppedJob, workflow } from '../../support/charts/jobSteps.ts';

const test = suite('job: preparation of a visit');

const startPreparing = () => {
  const job = new SteppedJob();
  job.slot();
  return job;
};

test('the slot begins a visit: its row, and the preparation of its workspace (JOB-3, INT-1)', () => {
  const job = startPreparing();
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
            approved_person: null,
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
  const job = startPreparing();
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
  const job = startPreparing();
  assert.equal(job.prepared({ visit: 2 }), false);
  assert.equal(
    job.send({ type: 'phase.unprepared', visit: 0, message: 'no', diagnostics: [] }),
    false,
  );
});

test('a phase that the workflow has lost parks the job and is named; a rerun of one that it has continues', () => {
  const job = startPreparing();
  job.prepared({ workflow: workflow([phase('coding'), phase('testing')]) });
  assert.equal(job.at, 'parked.developer');
  assert.equal(
    job.context.parked?.reason,
    'phase planning cannot continue: phase planning is no longer in the workflow, which has coding, testing; put it back, rerun one of these (svc rerun shop-job-1 <phase>) or cancel the job. When it is repaired, continue the job with: svc resume shop-job-1',
  );
  assert.equal(job.rerun('planning'), false);
  assert.equal(job.rerun('testing'), true);
  assert.equal(job.run().at, 'working.inSession');
  assert.equal(job.context.phase, 'testing');
});

const unprepared = (job: SteppedJob, more: { retry?: true } = {}): boolean =>
  job.send({
    type: 'phase.unprepared',
    visit: 1,
    message: 'workflows/job.md:3:1 phases is missing',
    diagnostics: [],
    ...more,
  });

test('a workflow that does not lint parks the job, which tries again by itself and asks a person', () => {
  const job = startPreparing();
  unprepared(job, { retry: true });
  assert.equal(job.at, 'parked.outage');
  assert.is(job.status, 'awaiting-developer-input');
  assert.is(job.chart.index(job.state).slot, false);
  assert.is(job.context.escalationMessage, null);
  const { needsPerson, reason = '' } = job.context.parked ?? {};
  assert.is(needsPerson, true);
  assert.match(reason, /workflows\/job\.md:3:1 phases is missing\. When it is repaired, /);
  assert.match(reason, /svc resume shop-job-1$/);
  const [row] = buildListRows(undefined, job.state, {});
  assert.is(row?.op === 'put' && row.row.ask, 'input');
  job.send({ type: 'outage.over' });
  job.run();
  assert.equal([job.at, job.context.visit, job.status], ['working.inSession', 1, 'planning']);
  assert.equal(job.context.setbacks, { deaths: 0, quotas: 0 });
});

test('a preparation that is repaired is continued by resume, in the same visit', () => {
  const job = startPreparing();
  unprepared(job, { retry: true });
  job.resume();
  job.run();
  assert.equal([job.at, job.context.visit], ['working.inSession', 1]);
});

test('what is not repaired after eleven attempts waits for a developer, in the same visit', () => {
  const job = startPreparing();
  for (let attempt = 0; attempt < MAX_OUTAGE_WAITS; attempt++) {
    unprepared(job, { retry: true });
    job.send({ type: 'outage.over' });
    job.slot();
  }
  unprepared(job, { retry: true });
  assert.is(job.at, 'parked.developer');
  assert.match(job.context.parked?.reason ?? '', /continue the job with: svc resume shop-job-1$/);
  job.resume();
  job.run();
  assert.equal([job.at, job.context.visit], ['working.inSession', 1]);
});

test('a job that waits for a repair takes every command (JOB-9)', () => {
  const createWaitingJob = () => {
    const job = startPreparing();
    unprepared(job, { retry: true });
    return job;
  };
  const paused = createWaitingJob();
  paused.pause();
  assert.is(paused.at, 'parked.paused');
  const cancelled = createWaitingJob();
  cancelled.cancel();
  assert.is(cancelled.at, 'ended.cancelled');
  const again = createWaitingJob();
  again.rerun('planning');
  assert.is(again.at, 'queued');
  const written = createWaitingJob();
  written.message();
  assert.is(written.at, 'parked.outage');
  assert.is(written.context.unread.messages, 1);
});

test('the reason of a long account ends with the command', () => {
  const job = startPreparing();
  job.send({
    type: 'phase.unprepared',
    visit: 1,
    message: 'x'.repeat(5_000),
    diagnostics: [],
    retry: true,
  });
  assert.match(job.context.parked?.reason ?? '', /svc resume shop-job-1$/);
});

test('a table that is too large for the context parks the job', () => {
  const job = startPreparing();
  job.prepared({ workflow: workflow([phase('planning', { obligations: ['x'.repeat(13_000)] })]) });
  assert.is(job.at, 'parked.developer');
  assert.ok(JSON.stringify(job.context).length < 8_000);
});

test('while a disk is low the phase is not prepared: the job queues, and the same visit is prepared with its next slot', () => {
  const job = startPreparing();
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
