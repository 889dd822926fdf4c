import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { item, phase, SteppedJob, workflow } from '../../support/charts/jobSteps.ts';

const test = suite('job: signals of the agent');

const OTHER = workflow([phase('intake'), phase('fix')]);

const ask = {
  escalate: (job: SteppedJob) => job.tool('escalate', { message: 'help' }),
  await: (job: SteppedJob) => job.awaitEvent(),
  switch: (job: SteppedJob) =>
    job.tool('switch_workflow', {
      workflowPath: 'workflows/fix.md',
      workflow: OTHER,
      toPhase: 'fix',
      reason: 'a bug',
    }),
  goto: (job: SteppedJob) => job.goto('evaluation'),
  newSession: (job: SteppedJob) => job.tool('request_new_session', { prompt: 'continue' }),
};

const ORDER = ['escalate', 'await', 'switch', 'goto', 'newSession'] as const;
const LEADS_TO = {
  escalate: ['ended.escalated', 'testing'],
  await: ['parked.event', 'testing'],
  switch: ['working.inSession', 'fix'],
  goto: ['working.inSession', 'evaluation'],
  newSession: ['working.inSession', 'testing'],
};

for (const [index, strongest] of ORDER.entries()) {
  test(`${strongest} goes before ${ORDER.slice(index + 1).join(', ') || 'the next phase'}, whatever was asked first (JOB-3)`, () => {
    for (const signals of [ORDER.slice(index), ORDER.slice(index).toReversed()]) {
      const job = new SteppedJob().reach('testing');
      job.createPr(1);
      for (const signal of signals) assert.is(ask[signal](job), true, signal);
      assert.is(job.at, 'working.inSession', 'a signal waits for the end of the session');
      job.end();
      assert.equal([job.at, job.context.phase], LEADS_TO[strongest]);
    }
  });
}

test('the last signal of a kind counts (JOB-3)', () => {
  const job = new SteppedJob().reach('testing');
  job.goto('coding');
  job.goto('reporting');
  assert.is(job.end().context.phase, 'reporting');
});

test('a new session continues in the same visit with its prompt (JOB-3)', () => {
  const job = new SteppedJob().reach('testing');
  const { visit } = job.context;
  ask.newSession(job);
  job.end();
  const { phase: opened, ...kickoff } = job.effect('session.open') ?? {};
  assert.equal(kickoff, {
    visit,
    session: 2,
    workflowPath: 'workflows/job.md',
    inboxFrom: 0,
    inboxTo: 0,
    prompt: 'continue',
    eventKey: null,
  });
  assert.equal(opened, phase('testing'));
  assert.is(job.rows('phase_visits').at(-1)?.sessions, 2);
});

test('a visit may ask for ten new sessions; the eleventh request is refused, the next visit counts from zero', () => {
  const job = new SteppedJob().reach('testing');
  for (let n = 0; n < 10; n++) {
    assert.is(ask.newSession(job), true);
    job.end();
  }
  assert.is(job.context.session, 11);
  assert.is(ask.newSession(job), false);
  job.end();
  assert.is(job.context.phase, 'evaluation');
  assert.is(ask.newSession(job), true);
});

test('pause_turn is a new session without prompt; an agent that only pauses parks for a developer', () => {
  const job = new SteppedJob(workflow([phase('build'), phase('report')])).run();
  for (let n = 0; n < 10; n++) job.end('pause_turn');
  assert.equal(job.at, 'working.inSession');
  assert.equal(job.context.session, 11);
  assert.equal(job.effect('session.open')?.prompt, null);
  job.end('pause_turn');
  assert.equal(job.at, 'parked.developer');
  assert.equal(job.status, 'awaiting-developer-input');
  assert.is(job.resume(), true);
  assert.equal(job.at, 'queued');
  assert.equal(job.run().context.phase, 'report');
});

test('a phase that never ended keeps its checkpoint when the developer continues it (JOB-5)', () => {
  const table = workflow([phase('plan', { interactive_checkpoint: true }), phase('code')]);
  const job = new SteppedJob(table, { limits: { gateBlocks: 5, sessionsPerVisit: 0 } })
    .run()
    .end('pause_turn');
  assert.is(job.at, 'parked.developer');
  job.resume();
  assert.is(job.at, 'parked.approval');
  job.resume('approve');
  assert.is(job.run().context.phase, 'code');
});

for (const stopReason of ['error', 'limit'] as const) {
  test(`a session that ends with ${stopReason} fails the job, whatever it asked for but that it escalates`, () => {
    const job = new SteppedJob().reach('testing');
    ask.goto(job);
    job.end(stopReason, 'exit code 3');
    assert.equal(job.at, 'ended.failed');
    assert.equal(
      job.context.escalationMessage,
      'phase testing: the agent ended with an error: exit code 3',
    );
    assert.is(job.rows('phase_visits').at(-1)?.outcome, 'failed');
    const escalated = new SteppedJob().reach('testing');
    ask.escalate(escalated);
    escalated.end(stopReason, 'exit code 3');
    assert.equal(escalated.at, 'ended.escalated');
    assert.equal(
      escalated.context.escalationMessage,
      'help (the agent ended with an error: exit code 3)',
    );
  });
}

test('an interrupted session continues in the same visit, through the queue (RUN-6)', () => {
  const job = new SteppedJob().reach('testing');
  const { visit } = job.context;
  job.end('interrupted');
  assert.is(job.at, 'queued');
  job.run();
  assert.equal(job.at, 'working.inSession');
  assert.equal(job.context.visit, visit);
  assert.equal(job.context.session, 2);
});

test('a switch keeps its history, takes the new workflow and restarts the count of the gate (JOB-12, TOOL-9)', () => {
  const job = new SteppedJob().reach('testing');
  ask.switch(job);
  job.end();
  assert.equal(job.context.workflowPathHistory, [
    {
      at: new Date(job.now - 1000).toISOString(),
      from: 'workflows/job.md',
      to: 'workflows/fix.md',
      fromPhase: 'testing',
      toPhase: 'fix',
      reason: 'a bug',
      by: 'switch_workflow',
    },
  ]);
  assert.equal(job.context.workflowPath, 'workflows/fix.md');
  assert.equal(job.context.workflow, OTHER);
  assert.equal(job.status, 'fix');
});

test('the history of switches is bounded', () => {
  const table = workflow([phase('a')]);
  const job = new SteppedJob(table).run();
  for (let n = 0; n < 60; n++) {
    job.tool('switch_workflow', {
      workflowPath: `workflows/${n}.md`,
      workflow: table,
      toPhase: 'a',
      reason: 'again',
    });
    job.end();
  }
  const { workflowPathHistory } = job.context;
  assert.equal(workflowPathHistory.length, 50);
  assert.equal(workflowPathHistory.at(-1)?.to, 'workflows/59.md');
});

test('goto_phase counts a loop of the work item that was current all along, and of no other (JOB-4)', () => {
  const loops = (job: SteppedJob) => job.context.workItems.map(({ loopCount }) => loopCount);
  const job = new SteppedJob().run();
  job.tool('set_work_items', { items: [item('a', 'in-progress'), item('b')] });
  job.reach('evaluation');
  job.goto('coding');
  assert.equal(loops(job.end()), [1, 0]);
  job.goto('evaluation');
  assert.equal(loops(job.end()), [1, 0], 'forward is no loop');
  job.tool('update_work_item', { id: 'a', status: 'complete' });
  job.tool('update_work_item', { id: 'b', status: 'in-progress' });
  job.goto('coding');
  assert.equal(loops(job.end()), [1, 0], 'the next item begins');
  job.goto('coding');
  assert.equal(loops(job.end()), [1, 1], 'the same phase again is one');
});

test.run();
