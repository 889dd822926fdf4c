import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { item, phase, SteppedJob, workflow } from '../../support/charts/jobSteps.ts';

const test = suite("job: the specification's table of transitions, row by row");

const where = (job: SteppedJob) => [job.at, job.status];

const withItem = (id = 'wi-1') => {
  const job = new SteppedJob().run();
  job.tool('set_work_items', { items: [item(id, 'in-progress'), item('wi-2')] });
  return job;
};

const single = (more = {}) => new SteppedJob(workflow([phase('build')]), more).run();

test('queued | phase loop starts | planning (JOB-3)', () => {
  const job = new SteppedJob();
  assert.equal(where(job), ['queued', 'queued']);
  assert.is(job.slot(), true);
  assert.equal(where(job), ['working.preparing', 'planning']);
});

test('planning | interactive checkpoint | awaiting-plan-approval: parks for the developer (JOB-5)', () => {
  const job = withItem().end();
  assert.equal(where(job), ['parked.approval', 'awaiting-plan-approval:wi-1']);
  assert.equal(job.context.parked, {
    kind: 'approval',
    since: new Date(job.now).toISOString(),
    reason: 'phase planning waits for your approval',
  });
});

test('awaiting-plan-approval | approval | coding:{work-item} (JOB-5)', () => {
  const job = withItem().end();
  assert.is(job.resume('approve'), true);
  assert.equal(where(job.run()), ['working.inSession', 'coding:wi-1']);
});

test('coding | await_event | awaiting-pr-merge: event recorded, session ended, slot freed, parked (JOB-6)', () => {
  const job = withItem().reach('coding');
  job.createPr(1);
  job.awaitEvent({ prId: 'local:shop#1' });
  assert.is(job.at, 'working.inSession');
  job.end();
  assert.equal(where(job), ['parked.event', 'awaiting-pr-merge:wi-1']);
  assert.equal(job.context.awaited, {
    kinds: null,
    prId: 'local:shop#1',
    from: 'coding',
    after: 'testing',
    forward: 'last-merge',
  });
  assert.is(job.chart.index(job.state).slot, false);
});

test('awaiting-pr-merge | matching event on any mapped PR | testing; the first one wakes the job (JOB-6, EVT-1)', () => {
  const job = withItem().reach('coding');
  job.createPr(1);
  job.createPr(2);
  job.awaitEvent({ prId: 'local:shop#1' });
  job.end();
  assert.is(job.prEvent('merged', 2), true);
  assert.equal(where(job), ['queued', 'awaiting-pr-merge:wi-1']);
  // The other one of the work item is open.
  assert.equal(where(job.run()), ['working.inSession', 'coding:wi-1']);
  job.awaitEvent();
  job.end();
  assert.is(job.prEvent('merged', 1), true);
  assert.equal(where(job.run()), ['working.inSession', 'testing:wi-1']);
});

test('testing | phase end | evaluation (JOB-3)', () => {
  const job = withItem().reach('testing').end();
  assert.equal(where(job), ['working.inSession', 'evaluation:wi-1']);
});

test('evaluation | goto_phase | coding of the next work item, else reporting (JOB-3, JOB-4)', () => {
  const job = withItem().reach('evaluation');
  job.tool('update_work_item', { id: 'wi-1', status: 'complete' });
  job.tool('update_work_item', { id: 'wi-2', status: 'in-progress' });
  job.goto('coding');
  assert.equal(where(job.end()), ['working.inSession', 'coding:wi-2']);
  job.reach('evaluation');
  job.tool('update_work_item', { id: 'wi-2', status: 'complete' });
  assert.equal(where(job.end()), ['working.inSession', 'reporting']);
});

test('reporting | last phase ends, gate passes | complete (JOB-7)', () => {
  const job = withItem().reach('reporting');
  job.tool('set_work_items', { items: [item('wi-1', 'complete'), item('wi-2', 'escalated')] });
  assert.equal(where(job.end()), ['ended.complete', 'complete']);
});

test('any phase | goto_phase | the named phase, after the session (JOB-3)', () => {
  const job = withItem().reach('testing');
  job.goto('reporting');
  assert.equal(where(job), ['working.inSession', 'testing:wi-1']);
  assert.equal(where(job.end()), ['working.inSession', 'reporting:wi-1']);
});

test('any phase | escalate | escalated (JOB-8)', () => {
  const job = withItem().reach('coding');
  job.tool('escalate', { message: 'no access to the database' });
  assert.equal(where(job.end()), ['ended.escalated', 'escalated']);
  assert.is(job.context.escalationMessage, 'no access to the database');
});

test('last phase | ends, no work items | complete, gate skipped (JOB-7)', () => {
  assert.equal(where(single().end()), ['ended.complete', 'complete']);
});

test('last phase | ends with an open work item | same phase and status, [completion-gate] line, corrective prompt, run again (JOB-7)', () => {
  const job = single();
  job.tool('set_work_items', { items: [item('wi-1', 'in-progress'), item('wi-2')] });
  job.createPr(1);
  job.end();
  assert.equal(where(job), ['working.inSession', 'build:wi-1']);
  assert.is(job.context.visit, 2);
  assert.ok(
    job.log.includes(
      '[completion-gate] blocked 1 of 5: not closed: wi-1 (in-progress), wi-2 (pending)',
    ),
  );
  const prompt = String(job.effect('session.open')?.prompt);
  assert.match(
    prompt,
    '- wi-1 (in-progress): Do wi-1; open pull requests: local:shop#1; merged: none',
  );
  assert.match(prompt, '- wi-2 (pending): Do wi-2; open pull requests: none; merged: none');
});

test('last phase | five consecutive blocks | failed; escalationMessage names the unclosed work items (JOB-7)', () => {
  const job = single();
  job.tool('set_work_items', { items: [item('wi-1', 'in-progress')] });
  const after = [1, 2, 3, 4, 5].map(() => job.end().at);
  assert.equal(after, [...Array(4).fill('working.inSession'), 'ended.failed']);
  assert.is(
    job.context.escalationMessage,
    'completion gate: 5 blocks in a row; work items not closed: wi-1 (in-progress)',
  );
  assert.is(job.status, 'failed');
});

test('COMPLETION_GATE_MAX_RETRIES sets the number of blocks (JOB-7)', () => {
  const job = single({ limits: { gateBlocks: 2, sessionsPerVisit: 10 } });
  job.tool('set_work_items', { items: [item('wi-1')] });
  assert.equal(job.end().at, 'working.inSession');
  assert.equal(job.end().at, 'ended.failed');
});

test('any | non-completion transition | the gate counts from zero (JOB-7)', () => {
  const job = withItem().reach('reporting').end().end();
  assert.is(job.context.gateBlocks, 2);
  job.goto('evaluation');
  job.end();
  assert.is(job.context.gateBlocks, 0);
  job.end().end();
  assert.is(job.context.gateBlocks, 1);
});

test('any active | pause | parked; the session is interrupted, its status kept (JOB-9)', () => {
  const job = withItem().reach('coding');
  assert.is(job.pause(), true);
  assert.equal(where(job), ['working.stopping', 'coding:wi-1']);
  assert.equal(job.effect('session.stop'), { visit: 2, session: 1, why: 'pause' });
  assert.equal(where(job.end('interrupted')), ['parked.paused', 'coding:wi-1']);
});

test('parked or failed | resume or message | resumed through the same queue as an event wake (JOB-9, EVT-5)', () => {
  for (const wake of [
    (job: SteppedJob) => job.resume(),
    (job: SteppedJob) => job.message(),
    (job: SteppedJob) => job.prEvent('commented'),
  ]) {
    const job = withItem().reach('coding');
    job.createPr(1);
    job.awaitEvent();
    job.end();
    assert.is(wake(job), true);
    assert.is(job.at, 'queued');
    assert.equal(where(job.run()), ['working.inSession', 'coding:wi-1']);
  }
  const failed = single().end('error', 'boom');
  assert.equal(where(failed), ['ended.failed', 'failed']);
  assert.is(failed.resume(), true);
  assert.equal(where(failed.run()), ['working.inSession', 'build']);
});

test('any | cancel | cooperative cancel (JOB-9)', () => {
  const job = withItem().reach('coding');
  assert.is(job.cancel('not needed'), true);
  assert.equal(job.effect('session.stop'), { visit: 2, session: 1, why: 'cancel' });
  assert.equal(where(job.end('interrupted')), ['ended.cancelled', 'cancelled']);
  assert.is(job.context.escalationMessage, 'not needed');
});

test('the log read alone tells what happened', () => {
  const job = withItem().end();
  job.resume('approve');
  job.run();
  job.createPr(1);
  job.awaitEvent({ kinds: ['merged'] });
  job.end();
  job.prEvent('merged');
  job.run();
  job.tool('escalate', { message: 'tests need a licence' });
  job.end();
  assert.equal(job.log, [
    '[phase] phase planning begins',
    '[work-items] 0 of 2 closed; now wi-1: Do wi-1',
    '[parked] phase planning waits for your approval',
    '[approval] phase planning approved by developer',
    '[phase] phase coding begins',
    '[forge] create_pr: local:shop#1 is open (http://127.0.0.1/shop/1)',
    '[parked] waits for the merge of shop#1',
    '[event] merged on local:shop#1 by alice',
    '[phase] phase testing begins',
    '[ended] escalated: tests need a licence',
  ]);
});

test.run();
