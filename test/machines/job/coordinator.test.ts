import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobChart } from '../../../machines/index.ts';
import { CAMPAIGN_WORKFLOW, SteppedJob } from '../../support/charts/jobSteps.ts';

const test = suite('job chart: a parent of sub-runs, and a sub-run');

const DISPATCHER = 'shop-job-1.sub-runs';
const COUNTS = {
  pending: 0,
  ready: 0,
  dispatched: 0,
  complete: 1,
  failed: 1,
  escalated: 0,
  skipped: 0,
};
const SETTLED = {
  type: 'subRuns.settled',
  counts: COUNTS,
  failures: [{ name: 'b', status: 'failed' }],
  failed: 1,
};

/** What a step tells other actors: whom, and what. */
const listSends = (job: SteppedJob): [to: unknown, type: unknown][] =>
  job.effects.flatMap(({ type, params }) =>
    type === 'actor.send' ? [[params.to, Object(params.event).type]] : [],
  );

/** Its row in the list of jobs. */
const readListedRow = (job: SteppedJob): Record<string, unknown> => {
  const changes = jobChart.rows?.(undefined, job.state, { type: 'any' }) ?? [];
  const put = changes.find(({ op, table }) => op === 'put' && table === 'job_list');
  return Object(Object(put).row);
};

const planning = (): SteppedJob => new SteppedJob(CAMPAIGN_WORKFLOW).run();

/** A parent whose plan is finished and whose first phase is over. */
const createWaitingJob = (): SteppedJob => {
  const parent = planning();
  parent.tool('register_sub_run', { name: 'a' });
  parent.tool('finalize_sub_runs');
  return parent.end();
};

test('the first registration starts the dispatcher, with whether a person can decide (SUB-1)', () => {
  const parent = planning();
  assert.is(parent.tool('finalize_sub_runs'), false, 'nothing is registered');
  parent.tool('register_sub_run', { name: 'a' });
  assert.equal(parent.effect('actor.start'), {
    chart: 'subRuns',
    id: DISPATCHER,
    input: { parentJobId: 'shop-job-1', createdAt: parent.now },
  });
  assert.is(parent.context.subRuns, 'collecting');
});

test('only a workflow with a coordinator may have sub-runs', () => {
  assert.is(new SteppedJob().run().tool('register_sub_run', { name: 'a' }), false);
});

test('a sub-run may have sub-runs of its own only with params.epicAllowed (SUB-8)', () => {
  const subRunOf = { parentJobId: 'p', name: 'a', attempt: 1 };
  const may = (params: Record<string, unknown>) =>
    new SteppedJob(CAMPAIGN_WORKFLOW, { subRunOf, params })
      .run()
      .tool('register_sub_run', { name: 'x' });
  assert.equal(may({}), false);
  assert.equal(may({ epicAllowed: true }), true);
});

test('finalized, it waits in parkPhase and tells the dispatcher to begin; the end leads into resumePhase (SUB-2)', () => {
  const parent = createWaitingJob();
  assert.equal(parent.at, 'parked.subRuns');
  assert.equal(parent.status, 'awaiting-sub-runs');
  assert.equal(parent.context.phase, 'waiting');
  assert.equal(listSends(parent), [[DISPATCHER, 'parent.parked']]);
  parent.send(SETTLED);
  assert.equal(parent.at, 'queued');
  assert.equal(parent.context.subRuns, 'over');
  parent.run();
  assert.equal(parent.at, 'working.inSession');
  assert.equal(parent.context.phase, 'aggregating');
  assert.is(
    parent.effect('session.open')?.prompt,
    'All sub-runs have ended: 1 complete, 1 failed. Not done: b (failed). sub_run_status says why.',
  );
});

test('after finalize_sub_runs nothing more is registered, and the job waits for what it has finalized (SUB-1)', () => {
  const parent = planning();
  parent.tool('register_sub_run', { name: 'a' });
  parent.tool('finalize_sub_runs');
  const before = parent.context;
  assert.is(parent.tool('register_sub_run', { name: 'b' }), false);
  assert.equal(parent.context, before, 'nothing has changed');
  assert.is(parent.tool('finalize_sub_runs'), true, 'the same once more is no mistake');
  assert.is(parent.end().at, 'parked.subRuns');
});

test('registered and not finalized, it asks a person instead of continuing without them', () => {
  const parent = planning();
  parent.tool('register_sub_run', { name: 'a' });
  parent.end();
  assert.equal(parent.at, 'parked.developer');
  assert.equal(parent.context.parked?.kind, 'developer');
  assert.equal(listSends(parent), []);
});

test('a rerun of planning opens registration again, and holds what has not begun (SUB-1)', () => {
  const parent = createWaitingJob();
  parent.rerun('planning');
  assert.equal(listSends(parent), [[DISPATCHER, 'parent.paused']]);
  parent.run();
  assert.equal(parent.tool('register_sub_run', { name: 'b' }), true);
  assert.equal(parent.context.subRuns, 'collecting');
  assert.equal(parent.tool('finalize_sub_runs'), true);
  assert.equal(parent.end().at, 'parked.subRuns');
  assert.equal(listSends(parent), [[DISPATCHER, 'parent.parked']]);
});

test('a planning phase that runs again and changes nothing keeps what was finalized', () => {
  const parent = createWaitingJob();
  parent.rerun('planning');
  assert.is(parent.run().end().at, 'parked.subRuns');
});

test('paused while it waits, it notifies the dispatcher; resumed, it waits again', () => {
  const parent = createWaitingJob();
  parent.pause();
  assert.equal(parent.at, 'parked.paused');
  assert.equal(listSends(parent), [[DISPATCHER, 'parent.paused']]);
  parent.resume();
  assert.equal(parent.at, 'parked.subRuns');
  assert.equal(listSends(parent), [[DISPATCHER, 'parent.parked']]);
});

test('what ends while it is paused is noted, and it continues when it is resumed', () => {
  const parent = createWaitingJob();
  parent.pause();
  parent.send(SETTLED);
  assert.is(parent.at, 'parked.paused');
  parent.resume();
  assert.equal(parent.at, 'queued');
  assert.equal(parent.run().context.phase, 'aggregating');
});

test('a failure shows as parked.halted, until the others continue', () => {
  const parent = createWaitingJob();
  parent.send({ type: 'subRuns.halted', names: ['a'] });
  assert.equal(parent.at, 'parked.halted');
  assert.equal(parent.context.parked?.kind, 'halted');
  parent.send({ type: 'subRuns.goOn' });
  assert.is(parent.at, 'parked.subRuns');
});

test('its end closes what is open, once, and a parent that is run again does not wait for that', () => {
  const parent = createWaitingJob();
  parent.cancel();
  assert.equal(parent.at, 'ended.cancelled');
  assert.equal(listSends(parent), [[DISPATCHER, 'parent.ended']]);
  parent.rerun('planning');
  parent.run();
  assert.is(parent.tool('register_sub_run', { name: 'b' }), true, 'it may plan again');
  const other = createWaitingJob();
  other.cancel();
  other.rerun('waiting');
  other.run();
  assert.equal(other.at, 'working.inSession');
  assert.equal(other.context.phase, 'aggregating');
});

test('converted, it begins without sub-runs', () => {
  const parent = planning();
  parent.tool('register_sub_run', { name: 'a' });
  parent.tool('convert_to_workflow', {
    workflowPath: 'workflows/other.md',
    workflow: CAMPAIGN_WORKFLOW,
    toPhase: 'planning',
    reason: 'fits better',
  });
  const { visit, session } = parent.context;
  parent.send({
    type: 'session.ended',
    visit,
    session,
    stopReason: 'end_turn',
    error: null,
    usage: null,
  });
  assert.equal(listSends(parent), [[DISPATCHER, 'subRuns.clear']]);
  assert.equal(parent.context.subRuns, null);
});

for (const alias of [undefined, 'convert_to_campaign'] as const)
  test(`a conversion by ${alias ?? 'convert_to_workflow'} is recorded as one, with its reason and the tool that was called (JOB-12)`, () => {
    const job = new SteppedJob().run();
    job.tool('convert_to_workflow', {
      workflowPath: 'workflows/other.md',
      workflow: CAMPAIGN_WORKFLOW,
      toPhase: 'planning',
      reason: 'too large',
      ...(alias ? { alias } : {}),
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
    if (job.at === 'parked.approval') job.resume('approve');
    const [entry] = job.context.workflowPathHistory;
    assert.equal(entry?.by, alias ?? 'convert_to_workflow');
    assert.equal(entry?.reason, 'too large');
    assert.is(
      job.rows('phase_visits')[0]?.outcome,
      job.rows('phase_visits')[0]?.approved_by ? 'approval' : 'convert_to_workflow',
    );
    assert.equal(
      job.rows('campaigns'),
      [{ job_id: 'shop-job-1' }],
      'it is in the list of campaigns from now on',
    );
  });

const ENDS: [outcome: string, end: (job: SteppedJob) => unknown, message: string | null][] = [
  ['complete', (job) => job.end(), null],
  [
    'failed',
    (job) => job.end('error', 'boom'),
    'phase planning: the agent ended with an error: boom',
  ],
  ['escalated', (job) => [job.tool('escalate', { message: 'help' }), job.end()], 'help'],
  ['cancelled', (job) => [job.cancel('not now'), job.end('interrupted')], 'not now'],
];

for (const [outcome, end, message] of ENDS) {
  test(`a sub-run that is ${outcome} notifies the dispatcher of its parent, and again when a person continues it`, () => {
    const only = {
      ...CAMPAIGN_WORKFLOW,
      phases: CAMPAIGN_WORKFLOW.phases.slice(0, 1),
      coordinator: null,
    };
    const job = new SteppedJob(only, {
      subRunOf: { parentJobId: 'p-job-1', name: 'a', attempt: 2 },
    }).run();
    end(job);
    assert.is(job.at, `ended.${outcome}`);
    const to = 'p-job-1.sub-runs';
    assert.equal(job.effect('actor.send'), {
      to,
      event: { type: 'subRun.ended', name: 'a', attempt: 2, outcome, message },
    });
    job.rerun('planning');
    assert.equal(job.effect('actor.send'), {
      to,
      event: { type: 'subRun.reopened', name: 'a', attempt: 2 },
    });
  });
}

test('while the job of a sub-run cannot be created, it shows why, and needs a person where one has to repair it (SUB-2)', () => {
  const parent = createWaitingJob();
  const since = parent.context.parked?.since;
  const ask = () => readListedRow(parent).ask;
  parent.send({ type: 'subRuns.hindered', message: 'no layer.', needsPerson: true });
  assert.is(parent.at, 'parked.subRuns');
  assert.equal(parent.context.parked, {
    kind: 'subRuns',
    since,
    reason: 'waits until every sub-run has ended; no layer.',
    needsPerson: true,
  });
  assert.is(ask(), 'input');
  parent.send({ type: 'subRuns.hindered', message: null, needsPerson: false });
  assert.equal(parent.context.parked, {
    kind: 'subRuns',
    since,
    reason: 'waits until every sub-run has ended',
  });
  assert.is(ask(), null);
});

test('a sub-run that parks for a repair has not ended for its parent: nothing is reported to its dispatcher (SUB-2)', () => {
  const subRunOf = { parentJobId: 'p', name: 'a', attempt: 1 };
  const job = new SteppedJob(undefined, { subRunOf, params: { parentJobId: 'p' } });
  job.slot();
  const { visit } = job.context;
  const message = 'no agent';
  job.send({ type: 'phase.unprepared', visit, message, diagnostics: [], retry: true });
  assert.is(job.at, 'parked.outage');
  assert.equal(listSends(job), []);
  const { parent, state, ask } = readListedRow(job);
  assert.equal([parent, state, ask], ['p', 'waiting', 'input']);
});

test.run();
