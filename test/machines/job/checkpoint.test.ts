import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hashApprovalContent } from '../../../machines/index.ts';
import { item, phase, SteppedJob, workflow } from '../../support/charts/jobSteps.ts';

const test = suite('job: checkpoints');

const plan = (job: SteppedJob, sha256: string) =>
  job.tool('post_artifact', {
    id: `art-${sha256}`,
    kind: 'plan-md',
    title: 'Plan',
    mime: 'text/markdown',
    size: 4,
    sha256,
  });

test('a checkpoint always parks, of a headless job as well (JOB-5, JOB-16)', () => {
  assert.is(new SteppedJob(undefined, { interactive: false }).run().end().at, 'parked.approval');
});

for (const autoApprove of ['planning', ['planning'], true] as const) {
  test(`params.autoApprove ${JSON.stringify(autoApprove)} passes it, and is journalled as the approver (JOB-16)`, () => {
    const job = new SteppedJob(undefined, { params: { autoApprove } }).run().end();
    assert.equal(job.at, 'working.inSession');
    assert.equal(job.context.phase, 'coding');
    const { approved_by, outcome } = job.rows('phase_visits')[0] ?? {};
    assert.equal(approved_by, 'autoApprove');
    assert.equal(outcome, 'advanced');
    assert.ok(
      job.log.includes('[approval] phase planning approved by autoApprove (params.autoApprove)'),
    );
  });
}

test('what was shown must be what is current (JOB-5)', () => {
  const job = new SteppedJob().run();
  plan(job, 'aaa');
  plan(job, 'bbb');
  job.end();
  assert.equal(job.context.shown, { artefactId: 'art-bbb', sha256: 'bbb' });
  assert.equal(job.resume('approve', 'aaa'), false);
  assert.equal(job.resume('reject', 'bbb'), false);
  assert.equal(job.at, 'parked.approval');
  assert.equal(job.approve(), true);
  assert.equal(job.at, 'queued');
});

test('there is something to be named where no plan is shown as well (JOB-5)', () => {
  const job = new SteppedJob().run().end();
  assert.match(hashApprovalContent(job.context), /^[0-9a-f]{64}$/u);
  assert.equal(job.resume('approve', 'aaa'), false);
  assert.equal(job.resume('approve'), true);
});

for (const by of ['token', 'login', 'open'] as const) {
  test(`the row of the visit says how the approver came in: ${by} (JOB-5)`, () => {
    const job = new SteppedJob().run().end();
    job.send({ type: 'job.resume', eventKey: 'approve', by });
    assert.is(job.rows('phase_visits')[0]?.approved_by, by);
    assert.ok(job.log.includes(`[approval] phase planning approved by developer (${by})`));
  });
}

test('without a name only the first version that was shown can be approved (JOB-5)', () => {
  const job = new SteppedJob().run();
  plan(job, 'aaa');
  job.end().message('shorter');
  job.run();
  plan(job, 'bbb');
  job.end();
  assert.equal(job.resume('approve'), false);
  assert.equal(job.resume('manual-resume'), false);
  assert.equal(job.at, 'parked.approval');
  assert.is(job.approve(), true);
});

test('the first version that is shown a second time is still the first (JOB-5)', () => {
  const job = new SteppedJob().run();
  plan(job, 'aaa');
  job.end().message('are you sure?');
  job.run();
  plan(job, 'aaa');
  job.end();
  assert.is(job.resume('approve'), true);
});

test('a rejection needs no name, whatever was shown before', () => {
  const job = new SteppedJob().run();
  job.end().resume('reject');
  job.run();
  plan(job, 'bbb');
  assert.is(job.end().resume('reject'), true);
});

test('another event key is refused: it could be meant as anything', () => {
  const job = new SteppedJob().run().end();
  assert.equal(job.resume('yes'), false);
  assert.equal(job.resume('event:merged'), false);
  assert.equal(job.at, 'parked.approval');
});

test('an unread message runs the phase again before it is approved; the plan shown before is gone (JOB-5)', () => {
  const job = new SteppedJob().run();
  plan(job, 'aaa');
  job.message('think again');
  job.end();
  assert.equal(job.at, 'working.inSession');
  assert.equal(job.context.phase, 'planning');
  assert.equal(job.context.visit, 2);
  assert.equal(job.context.shown, null);
  assert.is(job.end().at, 'parked.approval');
});

test('a message while parked is never an approval (JOB-5)', () => {
  const job = new SteppedJob().run().end();
  job.message('looks good, go ahead');
  assert.equal(job.run().context.phase, 'planning');
  assert.equal(job.rows('phase_visits')[0]?.approved_by, null);
});

test('a goto_phase is kept over the checkpoint and applied on approval (JOB-3, JOB-5)', () => {
  const job = new SteppedJob().run();
  job.goto('testing');
  job.end();
  assert.is(job.at, 'parked.approval');
  job.resume('approve');
  assert.is(job.run().context.phase, 'testing');
});

test('a rejection drops what the phase asked for', () => {
  const job = new SteppedJob().run();
  job.goto('testing');
  job.end();
  job.resume('reject');
  assert.is(job.run().context.phase, 'planning');
  job.end();
  job.approve();
  assert.is(job.run().context.phase, 'coding');
});

const lastHolds = workflow([phase('build'), phase('release', { interactive_checkpoint: true })]);

test('approval of the last phase leads to the completion gate: complete at once, or once more through the queue (JOB-7)', () => {
  const job = new SteppedJob(lastHolds).run();
  job.tool('set_work_items', { items: [item('wi-1', 'in-progress')] });
  job.end().end();
  assert.is(job.at, 'parked.approval');
  job.resume('approve');
  assert.equal(job.at, 'queued');
  assert.equal(job.context.gateBlocks, 1);
  job.run();
  assert.match(String(job.effect('session.open')?.prompt), /^\[completion-gate\]/u);
  job.tool('update_work_item', { id: 'wi-1', status: 'complete' });
  job.end().approve();
  assert.equal(job.at, 'ended.complete');
  assert.equal(job.status, 'complete');
});

const approvalPhase = workflow([
  phase('planning'),
  phase('plan-approval', {
    agent: null,
    status: 'awaiting-plan-approval',
    interactive_checkpoint: true,
  }),
  phase('coding'),
]);

test('a phase without agent can be the checkpoint: it asks about what the phase before has shown (JOB-5)', () => {
  const job = new SteppedJob(approvalPhase).run();
  plan(job, 'aaa');
  job.end();
  assert.equal(job.at, 'parked.approval');
  assert.equal(job.status, 'awaiting-plan-approval');
  assert.equal(job.context.shown?.sha256, 'aaa');
  assert.is(job.approve(), true);
  assert.is(job.run().context.phase, 'coding');
});

test('a message at a checkpoint without agent goes to the phase that can read it', () => {
  for (const early of [true, false]) {
    const job = new SteppedJob(approvalPhase).run();
    if (early) {
      const { visit, session } = job.context;
      job.send({
        type: 'session.ended',
        visit,
        session,
        stopReason: 'end_turn',
        error: null,
        usage: null,
      });
      job.message('shorter');
      job.run();
    } else {
      job.end();
      job.message('shorter');
      job.run();
    }
    assert.equal(job.at, 'working.inSession');
    assert.equal(job.context.phase, 'planning');
    assert.equal(job.context.unread.messages, 0);
  }
});

test('a phase without agent and checkpoint passes straight on; the last one meets the gate', () => {
  const job = new SteppedJob(
    workflow([phase('a', { agent: null }), phase('b', { agent: null })]),
  ).run();
  assert.equal(job.at, 'ended.complete');
  assert.equal(
    job.rows('phase_visits').map(({ outcome }) => outcome),
    ['advanced', 'complete'],
  );
});

test.run();
