import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  hashApprovalContent,
  jobChart,
  findRerunProblems,
  findToolProblems,
  type ToolEvent,
} from '../../../machines/index.ts';
import {
  CAMPAIGN_WORKFLOW,
  item,
  phase,
  SteppedJob,
  workflow,
} from '../../support/charts/jobSteps.ts';

const test = suite('job: no way leads around an approval');

const SHORT = workflow([
  phase('intake'),
  phase('planning', { interactive_checkpoint: true }),
  phase('coding'),
]);

/** Phases of which an agent was started, in this order. */
const listBegunVisits = (job: SteppedJob): unknown[] =>
  job
    .rows('phase_visits')
    .filter(({ sessions }) => Number(sessions) > 0)
    .map(({ phase: name }) => name);

const approvers = (job: SteppedJob): unknown[] =>
  job.rows('phase_visits').map(({ approved_by }) => approved_by);

const planning = (): SteppedJob => {
  const job = new SteppedJob().run();
  job.createPr(1);
  return job;
};

const onlyPlanning = (job: SteppedJob): void => {
  assert.equal([...new Set(listBegunVisits(job))], ['planning']);
  assert.equal(
    approvers(job).filter((by) => by !== null),
    [],
  );
};

const AWAITED = [
  {},
  { resumePhase: 'coding' },
  { resumePhase: 'testing' },
  { prId: 'local:shop#1', resumePhase: 'coding' },
];

for (const request of AWAITED) {
  test(`await_event ${JSON.stringify(request)}: a comment wakes the same phase (JOB-5, JOB-6)`, () => {
    const job = planning();
    assert.is(job.awaitEvent(request), true);
    job.end().prEvent('commented');
    assert.equal(job.run().at, 'working.inSession');
    assert.equal(job.context.phase, 'planning');
    assert.equal(job.context.visit, 2);
    onlyPlanning(job);
  });

  for (const kind of request.resumePhase === undefined
    ? (['merged'] as const)
    : (['merged', 'closed'] as const)) {
    test(`await_event ${JSON.stringify(request)}: ${kind} leads to the approval of the phase (JOB-5, JOB-6)`, () => {
      const job = planning();
      job.awaitEvent(request);
      job.end().prEvent(kind);
      assert.equal(job.at, 'parked.approval');
      assert.equal(job.context.phase, 'planning');
      assert.equal(job.status, 'awaiting-plan-approval');
      onlyPlanning(job);
      assert.is(job.approve(), true);
      assert.equal(job.run().at, 'working.inSession');
      assert.equal(job.context.phase, request.resumePhase ?? 'coding');
      assert.equal(approvers(job), ['developer', null]);
    });

    test(`await_event ${JSON.stringify(request)}: ${kind} before it could wait is no way around either (JOB-5)`, () => {
      const job = planning();
      job.awaitEvent({ ...request, prId: 'local:shop#1' });
      job.prEvent(kind);
      assert.equal(job.end().at, 'parked.approval');
      assert.equal(job.context.phase, 'planning');
      onlyPlanning(job);
    });
  }

  test(`await_event ${JSON.stringify(request)}: neither a message, a resume nor a pause is an approval (JOB-5, JOB-9)`, () => {
    const ways: ((job: SteppedJob) => unknown)[] = [
      (job) => job.message('continue'),
      (job) => job.resume('approve'),
      (job) => [job.pause(), job.resume()],
      (job) => [job.pause(), job.prEvent('merged'), job.resume()],
    ];
    for (const way of ways) {
      const job = planning();
      job.awaitEvent(request);
      job.end();
      way(job);
      job.run();
      onlyPlanning(job);
    }
  });
}

test('await_event {}: closed without a merge wakes the phase that waits for approval (JOB-5, JOB-6)', () => {
  const job = planning();
  job.awaitEvent();
  job.end().prEvent('closed');
  assert.equal(job.run().at, 'working.inSession');
  assert.equal(job.context.phase, 'planning');
  assert.equal(job.context.visit, 2);
  onlyPlanning(job);
});

test('a message that came with the merge is read before anybody approves', () => {
  const job = planning();
  job.awaitEvent({ prId: 'local:shop#1' });
  job.prEvent('merged');
  job.message('one more thing');
  assert.equal(job.end().run().context.phase, 'planning');
  assert.equal(job.context.unread.messages, 0);
});

test('an event wakes a waiting phase that has a checkpoint of its own; it is not stepped over (JOB-5, JOB-6)', () => {
  const table = workflow([
    phase('coding'),
    phase('wait', { agent: null, interactive_checkpoint: true }),
    phase('testing'),
  ]);
  const job = new SteppedJob(table).run();
  job.createPr(1);
  job.awaitEvent();
  job.end().prEvent('merged');
  assert.equal(job.run().at, 'parked.approval');
  assert.equal(job.context.phase, 'wait');
  job.approve();
  assert.is(job.run().context.phase, 'testing');
});

const problems = (job: SteppedJob, event: Record<string, unknown>): string[] => {
  const { visit, session } = job.context;
  return findToolProblems(job.context, { visit, session, ...event } as ToolEvent);
};

test('a goto past a checkpoint is refused and the answer names the phase (TOOL-1, JOB-5)', () => {
  const job = new SteppedJob(SHORT).run();
  job.createPr(1);
  const expected = [
    'phase planning comes first and has a checkpoint that is not approved in this job: go to planning, not past it',
  ];
  assert.equal(problems(job, { type: 'tool.goto_phase', phase: 'coding', reason: '' }), expected);
  assert.equal(
    problems(job, { type: 'tool.await_event', kinds: null, prId: null, resumePhase: 'coding' }),
    expected,
  );
  assert.equal(job.goto('coding'), false);
  assert.equal(job.awaitEvent({ resumePhase: 'coding' }), false);
  assert.equal(job.goto('planning'), true);
  assert.equal(job.goto('intake'), true);
});

test('await_event with external is no way around either (JOB-5, JOB-6)', () => {
  const job = new SteppedJob().run();
  assert.is(
    job.tool('await_event', {
      kinds: null,
      prId: null,
      resumePhase: 'testing',
      external: 'the customer answers',
    }),
    true,
  );
  job.end().resume('it is done');
  assert.equal(job.run().context.phase, 'planning');
  assert.equal(job.context.visit, 2);
});

test('a goto past a checkpoint is taken where one of its visits was approved (JOB-5)', () => {
  const job = new SteppedJob(SHORT).reach('coding');
  job.goto('intake');
  job.end();
  assert.is(job.goto('coding'), true);
  job.end();
  assert.is(job.context.phase, 'coding');
});

for (const autoApprove of ['planning', true] as const) {
  test(`a goto past a checkpoint is taken where it was approved in advance: ${autoApprove} (JOB-16)`, () => {
    const job = new SteppedJob(SHORT, { params: { autoApprove } }).run();
    assert.is(job.goto('coding'), true);
  });
}

test('a visit that was sent back takes the approval of an earlier one with it (JOB-5)', () => {
  const table = workflow([
    phase('plan'),
    phase('ask', { agent: null, interactive_checkpoint: true }),
    phase('coding'),
  ]);
  const job = new SteppedJob(table).reach('coding');
  job.goto('plan');
  job.end().end();
  assert.is(job.at, 'parked.approval');
  job.resume('reject');
  assert.equal(job.run().context.phase, 'plan');
  assert.equal(job.goto('coding'), false);
});

test('an approved phase that is visited again asks again (JOB-5)', () => {
  const job = new SteppedJob(SHORT).reach('coding');
  job.goto('planning');
  job.end();
  assert.equal(job.end().at, 'parked.approval');
  assert.equal(job.context.phase, 'planning');
  assert.is(job.rerun('coding'), false);
});

test('a switch out of a checkpoint waits for its approval, and can be taken back (JOB-5, TOOL-4)', () => {
  for (const by of ['switch_workflow', 'convert_to_workflow'] as const) {
    const job = new SteppedJob().run();
    const target =
      by === 'switch_workflow' ? workflow([phase('build'), phase('test')]) : CAMPAIGN_WORKFLOW;
    const toPhase = target.initial_phase;
    assert.is(
      job.tool(by, { workflowPath: 'workflows/other.md', workflow: target, toPhase, reason: '' }),
      true,
    );
    assert.equal(job.end().at, 'parked.approval');
    assert.equal(job.context.workflowPath, 'workflows/job.md');
    job.approve();
    assert.equal(job.context.workflowPath, 'workflows/other.md');
    assert.equal(job.slot(), true);
    assert.equal(job.context.phase, toPhase);
  }
});

const switched = (job: SteppedJob, workflowPath: string, toPhase: string): SteppedJob => {
  assert.is(
    job.tool('switch_workflow', { workflowPath, workflow: SHORT, toPhase, reason: '' }),
    true,
  );
  return job.end();
};

test('a switch to a phase beyond a checkpoint is taken and waits for a person, who is shown what it passes (TOOL-4, JOB-5)', () => {
  for (const path of ['workflows/job.md', 'workflows/other.md']) {
    const job = switched(new SteppedJob(SHORT).run(), path, 'coding');
    assert.equal(job.at, 'parked.approval');
    assert.equal(listBegunVisits(job), ['intake']);
    assert.is(
      job.context.parked?.reason,
      `phase intake waits for your approval, which leads to ${path}, past the checkpoint of its phase planning`,
    );
    job.approve();
    assert.equal(job.run().context.phase, 'coding');
    assert.equal(approvers(job), ['developer', null]);
  }
});

test('a switch beyond a checkpoint that was approved in advance, or to it, does not wait', () => {
  const free = new SteppedJob(SHORT, { params: { autoApprove: ['planning'] } }).run();
  assert.is(switched(free, 'workflows/other.md', 'coding').context.phase, 'coding');
  assert.is(
    switched(new SteppedJob(SHORT).run(), 'workflows/other.md', 'planning').context.phase,
    'planning',
  );
});

test('approvals of one workflow do not count in another one', () => {
  const job = new SteppedJob(SHORT).reach('coding');
  switched(job, 'workflows/other.md', 'intake');
  assert.is(job.goto('coding'), false);
});

test('a rerun of a later phase is refused until the phase is approved; the same and an earlier one are taken (JOB-9, JOB-5)', () => {
  const job = new SteppedJob(SHORT).run();
  job.end().end();
  assert.is(job.at, 'parked.approval');
  assert.equal(findRerunProblems(job.context, 'coding'), [
    'phase planning comes before coding, has a checkpoint and was not approved: approve phase planning first, or rerun an earlier phase',
  ]);
  assert.equal(job.rerun('coding'), false);
  assert.equal(job.rerun('planning'), true);
  assert.equal(job.rerun('intake'), true);
  assert.equal(job.rerun('coding'), false);
});

test('a rerun past a checkpoint is refused from every state of a job that was not approved (JOB-9, JOB-5)', () => {
  const ways: Record<string, (job: SteppedJob) => unknown> = {
    queued: () => {},
    'ended.cancelled': (job) => job.cancel(),
    'parked.paused': (job) => job.pause(),
    'ended.failed': (job) => job.run().end('error', 'boom'),
    'ended.escalated': (job) => [job.run().tool('escalate', { message: 'help' }), job.end()],
    'parked.event': (job) => [job.run().createPr(1), job.awaitEvent(), job.end()],
    'parked.developer': (job) => [
      job.run(),
      job.givenUp('session.open', { visit: job.context.visit, session: 1 }),
    ],
  };
  for (const [state, way] of Object.entries(ways)) {
    const job = new SteppedJob(SHORT);
    way(job);
    assert.equal(job.at, state);
    assert.equal(job.rerun('coding'), false);
    assert.equal(job.at, state);
    assert.equal(findRerunProblems(job.context, 'coding'), [
      'phase planning comes before coding, has a checkpoint and was not approved: rerun phase planning first, and approve it when it asks, or rerun an earlier phase',
    ]);
  }
});

test('an approved job can be rerun beyond the phase, also before it has continued (JOB-9)', () => {
  const job = new SteppedJob(SHORT).run();
  job.end().end().approve();
  assert.equal(job.at, 'queued');
  assert.equal(job.rerun('coding'), true);
});

test('a job can be ended without an approval (JOB-9)', () => {
  const cancelled = new SteppedJob().run().end();
  assert.equal(cancelled.cancel(), true);
  assert.equal(cancelled.at, 'ended.cancelled');
  const escalated = new SteppedJob().run();
  escalated.tool('escalate', { message: 'help' });
  assert.is(escalated.end().at, 'ended.escalated');
});

test('faults of a phase with a checkpoint lead back to it, never on', () => {
  const faults: ((job: SteppedJob) => unknown)[] = [
    (job) => [job.end('error', 'boom'), job.resume()],
    (job) => [job.end('limit', 'too long'), job.message('again')],
    (job) => [job.givenUp('session.open', { visit: 1, session: 1 }), job.resume()],
    (job) => [job.pause(), job.end('interrupted'), job.resume()],
    (job) => job.end('interrupted'),
  ];
  for (const fault of faults) {
    const job = new SteppedJob().run();
    job.goto('testing');
    fault(job);
    job.run();
    if (job.at === 'working.inSession') job.end();
    assert.equal(job.at, 'parked.approval');
    assert.equal(job.context.phase, 'planning');
  }
});

test('an agent that never came to an end: resume takes the next step, which is the approval', () => {
  const job = new SteppedJob(undefined, { limits: { gateBlocks: 5, sessionsPerVisit: 0 } }).run();
  job.end('pause_turn').resume();
  assert.is(job.at, 'parked.approval');
});

const parent = (park: Parameters<typeof phase>[1], plan: Parameters<typeof phase>[1] = {}) =>
  new SteppedJob({
    ...CAMPAIGN_WORKFLOW,
    phases: [
      phase('planning', plan),
      phase('waiting', { agent: null, ...park }),
      phase('aggregating'),
    ],
  }).run();

const registered = (job: SteppedJob): SteppedJob => {
  assert.is(job.tool('register_sub_run', { name: 'a', spec: 'sha' }), true);
  assert.is(job.tool('finalize_sub_runs'), true);
  return job.end();
};

const SETTLED = { type: 'subRuns.settled', counts: { complete: 1 }, failures: [], failed: 0 };

test('a checkpoint of the parkPhase: what has ended is approved before resumePhase begins (SUB-4, JOB-5)', () => {
  const job = registered(parent({ interactive_checkpoint: true }));
  assert.is(job.at, 'parked.subRuns');
  job.send(SETTLED);
  assert.equal(job.at, 'parked.approval');
  assert.equal(job.context.phase, 'waiting');
  job.approve();
  assert.is(job.run().context.phase, 'aggregating');
  assert.match(String(job.effect('session.open')?.prompt), /^All sub-runs have ended/u);
});

test('the same where they had halted, or ended before the job could wait', () => {
  const halted = registered(parent({ interactive_checkpoint: true }));
  halted.send({ type: 'subRuns.halted', names: ['a'] });
  halted.send(SETTLED);
  assert.is(halted.at, 'parked.approval');
  const paused = registered(parent({ interactive_checkpoint: true }));
  paused.pause();
  paused.send(SETTLED);
  paused.resume();
  assert.equal(paused.at, 'parked.approval');
  assert.equal(paused.rerun('aggregating'), false);
});

test('a planning phase that waits for its own sub-runs: they begin when the plan is approved (SUB-4, JOB-5)', () => {
  const table = workflow(
    [phase('planning', { interactive_checkpoint: true }), phase('aggregating')],
    {
      coordinator: {
        ...CAMPAIGN_WORKFLOW.coordinator,
        parkPhase: 'planning',
      } as typeof CAMPAIGN_WORKFLOW.coordinator,
    },
  );
  const job = registered(new SteppedJob(table).run());
  assert.is(job.at, 'parked.approval');
  job.approve();
  assert.is(job.at, 'parked.subRuns');
  job.send(SETTLED);
  assert.is(job.run().context.phase, 'aggregating');
});

test('a sub-run that is planned otherwise has to be looked at again before it is approved (SUB-1, JOB-5)', () => {
  const specs: [string, boolean][] = [
    ['sha', true],
    ['another', false],
  ];
  for (const [spec, isTaken] of specs) {
    const job = registered(parent({}, { interactive_checkpoint: true }));
    const { approvals } = job.context;
    assert.is(
      job.resume(
        'manual-resume',
        hashApprovalContent({ ...job.context, approvals: { ...approvals, subRuns: null } }),
      ),
      false,
    );
    job.message('again');
    job.run();
    // The dispatcher has what was registered before: the same once more is one more registration.
    if (spec !== 'sha') job.tool('register_sub_run', { name: 'a', spec });
    job.end();
    assert.is(job.resume('approve'), isTaken);
    assert.is(job.at === 'parked.approval' ? job.approve() : true, true);
  }
});

test('finalize_sub_runs does not jump over a checkpoint on the way to the parkPhase (SUB-4, JOB-5)', () => {
  const table = {
    ...CAMPAIGN_WORKFLOW,
    phases: [
      phase('planning'),
      phase('review', { interactive_checkpoint: true }),
      ...CAMPAIGN_WORKFLOW.phases.slice(1),
    ],
  };
  const job = registered(new SteppedJob(table).run());
  assert.is(job.context.phase, 'review');
  job.end().approve();
  assert.is(job.run().at, 'parked.subRuns');
});

test('going to another workflow and back makes no later version the first one again (JOB-5)', () => {
  const job = new SteppedJob(SHORT).run();
  job.end();
  job.tool('post_artifact', {
    id: 'one',
    kind: 'plan-md',
    title: 'Plan',
    mime: 'text/markdown',
    size: 3,
    sha256: 'one',
  });
  job.end();
  assert.is(job.resume('approve'), true);
  job.run();
  const away = workflow([phase('elsewhere')]);
  job.tool('switch_workflow', {
    workflowPath: 'workflows/away.md',
    workflow: away,
    toPhase: 'elsewhere',
    reason: 'away',
  });
  job.end();
  job.tool('switch_workflow', {
    workflowPath: 'workflows/job.md',
    workflow: SHORT,
    toPhase: 'planning',
    reason: 'back',
  });
  job.end();
  job.tool('post_artifact', {
    id: 'two',
    kind: 'plan-md',
    title: 'Plan',
    mime: 'text/markdown',
    size: 3,
    sha256: 'two',
  });
  job.end();
  assert.equal(job.at, 'parked.approval');
  assert.equal(job.resume('approve'), false);
  assert.equal(job.approve(), true);
});

test('finalize_sub_runs hands over what was checked: one that was registered meanwhile has it refused (SUB-4)', () => {
  const job = new SteppedJob(CAMPAIGN_WORKFLOW).run();
  job.tool('register_sub_run', { name: 'a', spec: 'hash-a' });
  const checked = job.context.approvals.subRuns;
  job.tool('register_sub_run', { name: 'b', spec: 'hash-b' });
  assert.is(job.tool('finalize_sub_runs', { specs: checked }), false);
  assert.is(job.context.subRuns, 'collecting');
  assert.is(job.tool('finalize_sub_runs', { specs: job.context.approvals.subRuns }), true);
});

test('an awaited event of a phase that was approved in advance is written down as such (JOB-16)', () => {
  const job = new SteppedJob(undefined, { params: { autoApprove: true } }).run();
  job.createPr(1);
  job.awaitEvent();
  job.end().prEvent('merged');
  assert.equal(job.run().context.phase, 'coding');
  assert.equal(approvers(job), ['autoApprove', null]);
});

const reordered = workflow([
  phase('planning'),
  phase('review', { interactive_checkpoint: true }),
  phase('coding'),
  phase('testing'),
]);

test('a checkpoint that appears between two phases is visited before the later one begins (JOB-5)', () => {
  const job = new SteppedJob(
    workflow([phase('planning'), phase('coding'), phase('testing')]),
  ).run();
  const { visit, session } = job.context;
  job.send({
    type: 'session.ended',
    visit,
    session,
    stopReason: 'end_turn',
    error: null,
    usage: null,
  });
  job.prepared({ workflow: reordered });
  job.prepared({ workflow: reordered });
  assert.equal(job.at, 'working.inSession');
  assert.equal(job.context.phase, 'review');
  assert.equal(listBegunVisits(job), ['planning', 'review']);
  assert.is(job.end().at, 'parked.approval');
  job.approve();
  assert.is(job.run().context.phase, 'coding');
});

test('a phase that was renamed counts as the beginning of the workflow', () => {
  const job = new SteppedJob(workflow([phase('plan'), phase('coding')])).reach('coding');
  job.end('error', 'boom').resume();
  job.slot();
  job.prepared({
    workflow: workflow([
      phase('plan', { interactive_checkpoint: true }),
      phase('build'),
      phase('check'),
    ]),
  });
  assert.equal(job.at, 'parked.developer');
  assert.equal(job.rerun('build'), false);
  assert.equal(job.rerun('plan'), true);
});

test('a snapshot that is on its way past a checkpoint parks for its approval', () => {
  const job = new SteppedJob(SHORT).run();
  job.end();
  job.end('interrupted');
  const { context } = job;
  const astray = {
    ...context,
    next: { phase: 'coding', sameVisit: false, prompt: null, eventKey: null },
  };
  job.snapshot = jobChart.machine.resolveState({ value: job.snapshot.value, context: astray });
  job.slot();
  assert.equal(job.at, 'parked.approval');
  assert.equal(job.context.phase, 'planning');
  job.approve();
  assert.is(job.run().context.phase, 'coding');
});

test('the open work items of a rejected plan stay a matter of the completion gate', () => {
  const job = new SteppedJob(workflow([phase('only', { interactive_checkpoint: true })])).run();
  job.tool('set_work_items', { items: [item('a')] });
  job.end().approve();
  assert.equal(job.at, 'queued');
  assert.equal(job.context.gateBlocks, 1);
});

test.run();
