import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hashApprovalContent } from '../../../machines/job/rules/approval.ts';
import type { PhaseDefinition } from '../../../src/contract/schema/workflow/workflow.ts';
import { Dispatcher, dispatching, PARENT } from '../../support/charts/dispatcherSteps.ts';
import { CAMPAIGN_WORKFLOW, phase, SteppedJob, workflow } from '../../support/charts/jobSteps.ts';

const test = suite('a sub-run that is run again after the campaign has settled');

const DISPATCHER = `${PARENT}.sub-runs`;

/** A campaign whose sub-runs have ended with these marks; `c` needs `b`, which needs `a`. */
const settleDispatcher = (policy: 'continue' | 'halt-on-failure' = 'continue'): Dispatcher => {
  const all = dispatching(['a', 'b>a', 'c>b', 'd'], 4, policy);
  all.prepared('a');
  all.prepared('d');
  all.ended('d', 'escalated', 'help');
  all.ended('a', 'failed', 'no build');
  return all;
};

test('settled → reopened: the failed one and what was skipped because of it are pending, the parent is notified, nothing begins yet', () => {
  const all = settleDispatcher();
  assert.equal(all.at, 'settled');
  assert.equal(all.marks, 'fuue');
  assert.is(all.command('rerun', 'a'), true);
  assert.equal(all.at, 'reopened');
  assert.equal(all.marks, 'pppE');
  assert.equal(all.asked, ['actor.send subRuns.reopened']);
  assert.equal(
    all.rows('sub_runs').map(({ status }) => status),
    ['pending', 'pending', 'pending', 'escalated'],
  );
  assert.equal(all.command('rerun', 'd'), true, 'notified once, however many are run again');
  assert.equal(all.asked, [], 'notified once, however many are run again');
  all.parent('parked');
  assert.equal(all.at, 'dispatching');
  assert.equal(all.marks, 'dppd');
  assert.equal(all.asked, ['subRun.dispatch a', 'subRun.dispatch d']);
});

/** What the list of jobs has of these failures, and of one of another campaign. */
const createAskLister = (all: Dispatcher): (() => unknown[]) => {
  const row = (job_id: string, ask: string, parent = PARENT) => ({
    job_id,
    parent,
    ask,
    dismissed_at: null,
  });
  all.tables.set('job_list', [
    row('a-job-1', 'failed'),
    row('d-job-1', 'escalated'),
    row('other', 'failed', 'another-parent'),
  ]);
  return () => all.rows('job_list').map(({ dismissed_at: at }) => at !== null);
};

test('a rerun after the end: the other failures, in spite of which the campaign has continued, need no person any more', () => {
  const all = settleDispatcher();
  const isAside = createAskLister(all);
  all.command('rerun', 'a');
  assert.equal(isAside(), [true, true, false]);
});

test('a failure that is accepted, by an agent as well, needs no person any more; the others still do', () => {
  const all = dispatching(['a', 'd'], 4);
  all.prepared('a');
  all.prepared('d');
  all.ended('a', 'failed');
  all.ended('d', 'escalated');
  const isAside = createAskLister(all);
  all.command('cancel', 'a', { by: 'agent', jobId: 'a-job-1' });
  assert.equal(all.marks, 'Fe');
  assert.equal(isAside(), [true, false, false]);
});

test('the same for one that was skipped by the dispatcher: it runs after the failure that it waits for', () => {
  const all = settleDispatcher();
  all.command('rerun', 'c');
  assert.equal(all.marks, 'pppE');
  assert.equal(all.context.graph.attempts, [2, 1, 2, 1]);
});

test('the same for one that was cancelled before it began; under halt-on-failure a failure that waits for a decision is left alone', () => {
  const all = dispatching(['a', 'b>a', 'c'], 1);
  all.ended('a', 'failed');
  all.command('cancel', 'b');
  all.command('rerun', 'b');
  assert.equal(all.at, 'halted');
  assert.equal(all.marks, 'fpr');
  assert.equal(all.context.graph.attempts, [1, 2, 1]);
  all.command('cancel', 'b');
  all.command('cancel', 'c');
  assert.equal(all.at, 'halted', 'the failure of a is not decided');
  assert.equal(all.marks, 'fff');
  for (const name of ['a', 'b', 'c']) all.command('cancel', name);
  assert.equal(all.at, 'settled');
  assert.equal(all.marks, 'FFF');
  all.command('rerun', 'b');
  assert.equal(all.marks, 'ppF');
  assert.equal(all.context.graph.attempts, [2, 3, 1]);
});

test('it settles once more, and the parent is notified once more', () => {
  const all = settleDispatcher();
  all.command('rerun', 'd');
  all.parent('parked');
  all.prepared('d', 2);
  all.ended('d', 'complete', null, 2);
  assert.equal(all.at, 'settled');
  assert.equal(all.marks, 'Fuuc');
  assert.equal(all.asked, ['actor.send subRuns.settled']);
});

test('a failure that the campaign has continued in spite of does not halt what is run again; a new one does (SUB-4)', () => {
  const all = new Dispatcher();
  all.register('a', 'b');
  all.finalize();
  all.parent('parked');
  all.ended('a', 'failed');
  all.ended('b', 'failed');
  assert.is(all.at, 'halted', 'the parent would do something new');
  all.command('cancel', 'a');
  all.command('cancel', 'b');
  assert.is(all.at, 'settled');
  all.command('rerun', 'b');
  all.parent('parked');
  assert.equal(all.at, 'dispatching');
  assert.equal(all.marks, 'Fd');
  all.ended('b', 'complete', null, 2);
  all.register('c', 'd>c');
  all.finalize(1);
  all.parent('parked');
  all.ended('c', 'failed');
  assert.equal(all.at, 'halted');
  assert.equal(all.marks, 'Fcfp');
});

test('a person who lets the job of a sub-run continue after the end reopens the campaign as well', () => {
  const all = settleDispatcher();
  assert.is(all.send({ type: 'subRun.reopened', name: 'a', attempt: 1 }), true);
  assert.equal(all.at, 'reopened');
  assert.equal(all.marks, 'bppE');
  assert.equal(all.asked, ['actor.send subRuns.reopened']);
  all.ended('a');
  assert.equal(all.at, 'reopened', 'the parent does not wait yet');
  assert.equal(all.marks, 'cppE', 'the parent does not wait yet');
  all.parent('parked');
  assert.equal(all.at, 'dispatching');
  assert.equal(all.marks, 'cdpE');
});

test('reopened → closing when the parent ends; → closed when it cannot wait any more, and what runs continues', () => {
  const ends = settleDispatcher();
  ends.send({ type: 'subRun.reopened', name: 'a', attempt: 1 });
  ends.parent('ended');
  assert.equal(ends.at, 'closing');
  assert.equal(ends.marks, 'xuuE');
  assert.equal(ends.asked, ['subRun.stop a']);
  const dispatcher = settleDispatcher();
  dispatcher.command('rerun', 'd');
  dispatcher.send({ type: 'subRun.reopened', name: 'a', attempt: 1 });
  dispatcher.parent('gone');
  assert.equal(dispatcher.at, 'closed');
  assert.equal(dispatcher.marks, 'buuu');
  assert.equal(dispatcher.asked, []);
  assert.equal(dispatcher.row('d').reason, 'its parent has ended');
  dispatcher.ended('a');
  assert.equal(dispatcher.at, 'closed');
  assert.equal(dispatcher.marks, 'cuuu');
});

test('closed → reopened: sub-runs that were closed with their parent can be run again', () => {
  const all = dispatching(['a', 'b'], 1);
  all.parent('ended');
  assert.equal(all.at, 'closed');
  assert.equal(all.marks, 'uu');
  assert.equal(all.command('rerun', 'b'), true);
  assert.equal(all.at, 'reopened');
  assert.equal(all.marks, 'up');
});

test('registered and finalized again, what has run keeps its result and what was skipped has another chance (SUB-1)', () => {
  const all = dispatching(['a', 'b>a', 'c'], 1);
  all.prepared('a');
  all.ended('a');
  all.parent('ended');
  assert.equal(all.at, 'closed');
  assert.equal(all.marks, 'cuu');
  const spec = { name: 'a', description: 'does a', dependsOn: [] };
  assert.is(all.send({ type: 'subRuns.register', spec }), false, 'other work needs another name');
  assert.is(all.send({ type: 'subRuns.register', spec, kept: true }), true);
  assert.equal(all.register('c>b'), [true]);
  all.finalize(1);
  assert.equal(all.at, 'finalized');
  assert.equal(all.marks, 'cpp');
  assert.equal(all.row('a').status, 'complete');
  all.parent('parked');
  assert.is(all.marks, 'cdp');
});

test('a parent that plans again while sub-runs are in progress: they continue, nothing begins before it waits again', () => {
  const all = dispatching(['a', 'b>a'], 1);
  all.prepared('a');
  all.parent('paused');
  assert.equal(all.register('b>a', 'z'), [true, true]);
  assert.equal(all.at, 'held');
  all.ended('a');
  assert.equal(all.at, 'held');
  assert.equal(all.marks, 'crr');
  assert.equal(all.finalize(2), true);
  assert.equal(all.at, 'held');
  all.parent('parked');
  assert.equal(all.at, 'dispatching');
  assert.equal(all.marks, 'cdd');
});

const SETTLED = {
  type: 'subRuns.settled',
  counts: { pending: 0, ready: 0, dispatched: 0, complete: 1, failed: 1, escalated: 0, skipped: 0 },
  failures: [{ name: 'b', status: 'failed' }],
  failed: 1,
};
const REOPENED = { type: 'subRuns.reopened' };

const listSends = (job: SteppedJob): unknown[] =>
  job.effects.flatMap(({ type, params }) =>
    type === 'actor.send' && params.to === DISPATCHER ? [Object(params.event).type] : [],
  );

/** In resumePhase, its session running. `after` comes behind it. */
const resumed = (...after: PhaseDefinition[]): SteppedJob => {
  const table = { ...CAMPAIGN_WORKFLOW, phases: [...CAMPAIGN_WORKFLOW.phases, ...after] };
  const parent = new SteppedJob(table).run();
  parent.tool('register_sub_run', { name: 'a' });
  parent.tool('finalize_sub_runs');
  parent.end();
  parent.send(SETTLED);
  parent.run();
  assert.equal(parent.at, 'working.inSession');
  assert.equal(parent.context.phase, 'aggregating');
  return parent;
};

const waitsAgain = (parent: SteppedJob, message?: string): void =>
  assert.equal(
    [parent.at, parent.status, parent.context.phase, listSends(parent)],
    ['parked.subRuns', 'awaiting-sub-runs', 'waiting', ['parent.parked']],
    message,
  );

const countVisits = (job: SteppedJob, name: string): number =>
  job.rows('phase_visits').filter((row) => row.phase === name).length;

test('in resumePhase the parent waits after its session instead of completing; resumePhase runs once for each settlement', () => {
  const parent = resumed();
  parent.send(REOPENED);
  parent.send(REOPENED);
  assert.is(parent.at, 'working.inSession');
  parent.end();
  waitsAgain(parent);
  parent.send(SETTLED);
  parent.run();
  assert.equal(parent.at, 'working.inSession');
  assert.equal(parent.context.phase, 'aggregating');
  assert.equal(countVisits(parent, 'aggregating'), 2);
  parent.end();
  assert.equal(parent.at, 'ended.complete');
  assert.equal(countVisits(parent, 'aggregating'), 2);
});

for (const [what, ask] of Object.entries<(parent: SteppedJob) => unknown>({
  'another phase': (parent) => parent.goto('planning'),
  'an event': (parent) => [parent.createPr(1), parent.awaitEvent()],
  'a new session': (parent) => parent.tool('request_new_session', { prompt: 'more' }),
}))
  test(`it waits also when its agent has asked for ${what}: resumePhase comes again and asks again`, () => {
    const parent = resumed();
    ask(parent);
    parent.send(REOPENED);
    parent.end();
    waitsAgain(parent);
    parent.send(SETTLED);
    assert.is(parent.run().context.phase, 'aggregating');
  });

const ENDS: [at: string, end: (parent: SteppedJob) => unknown][] = [
  ['ended.complete', (parent) => parent.end()],
  ['ended.failed', (parent) => parent.end('error', 'boom')],
  ['ended.escalated', (parent) => [parent.tool('escalate', { message: 'help' }), parent.end()]],
];

for (const [at, end] of ENDS) {
  test(`${at}: the parent waits again, and comes back to resumePhase`, () => {
    const parent = resumed();
    end(parent);
    assert.is(parent.at, at);
    const escalation = parent.context.escalationMessage;
    parent.send(REOPENED);
    waitsAgain(parent);
    assert.equal(parent.context.escalationMessage, null);
    assert.equal(parent.context.escalationHistory, escalation === null ? [] : [escalation]);
    parent.send(SETTLED);
    assert.is(parent.run().context.phase, 'aggregating');
  });

  test(`${at}: the same when it was asked for just before the end`, () => {
    const parent = resumed();
    parent.send(REOPENED);
    end(parent);
    assert.equal(parent.at, 'parked.subRuns');
    assert.equal(parent.context.subRuns, 'dispatched');
    assert.ok(listSends(parent).includes('parent.parked'));
    assert.not.ok(listSends(parent).includes('parent.ended'), 'nothing is closed');
  });
}

test('a cancelled parent does not wait again: it tells the dispatcher so; cancelled afterwards, it closes what was to run', () => {
  const parent = resumed();
  parent.cancel();
  parent.end('interrupted');
  assert.is(parent.at, 'ended.cancelled');
  parent.send(REOPENED);
  assert.equal(parent.at, 'ended.cancelled');
  assert.equal(listSends(parent), ['parent.gone']);
  const other = resumed();
  other.send(REOPENED);
  other.cancel();
  other.end('interrupted');
  assert.equal(other.at, 'ended.cancelled');
  assert.equal(listSends(other), ['parent.ended']);
});

test('a parent whose workflow does not coordinate any more reports that instead of waiting', () => {
  const parent = resumed();
  parent.tool('switch_workflow', {
    workflowPath: 'workflows/other.md',
    workflow: workflow([phase('only')]),
    toPhase: 'only',
    reason: 'smaller',
  });
  parent.end();
  assert.is(parent.context.phase, 'only');
  parent.send(REOPENED);
  assert.equal(parent.at, 'working.inSession');
  assert.equal(listSends(parent), ['parent.gone']);
  parent.end();
  assert.equal(parent.at, 'ended.complete');
  assert.equal(parent.send(REOPENED), true);
  assert.equal(listSends(parent), ['parent.gone']);
});

test('parked for approval in resumePhase it waits at once, and is approved when it comes back', () => {
  const table = structuredClone(CAMPAIGN_WORKFLOW);
  Object.assign(table.phases[2] ?? {}, { interactive_checkpoint: true });
  const parent = new SteppedJob(table).run();
  parent.tool('register_sub_run', { name: 'a' });
  parent.tool('finalize_sub_runs');
  parent.end();
  parent.send(SETTLED);
  parent.run().end();
  assert.is(parent.at, 'parked.approval');
  parent.send(REOPENED);
  waitsAgain(parent);
  parent.send(SETTLED);
  parent.run().end();
  assert.is(parent.at, 'parked.approval');
});

test('a later phase that has to be approved is approved first; then the parent waits', () => {
  const parent = resumed(phase('report', { interactive_checkpoint: true }));
  parent.end().end();
  assert.equal(parent.at, 'parked.approval');
  assert.equal(parent.context.phase, 'report');
  parent.send(REOPENED);
  assert.is(parent.at, 'parked.approval', 'no approval is passed by');
  assert.is(parent.resume('approve'), false, 'what follows is another phase than was shown');
  parent.resume('approve', hashApprovalContent(parent.context));
  waitsAgain(parent);
});

test('parked for an event, or for a developer, in resumePhase or past it, the parent waits for its sub-runs at once', () => {
  const parent = resumed(phase('report'));
  parent.end();
  parent.createPr(1);
  parent.awaitEvent();
  parent.end();
  assert.equal(parent.at, 'parked.event');
  assert.equal(parent.context.awaited?.from, 'report');
  parent.send(REOPENED);
  waitsAgain(parent);
  assert.is(parent.context.awaited, null);
});

test('paused, it waits after the session that follows its resume', () => {
  const parent = resumed();
  parent.pause();
  parent.end('interrupted');
  assert.is(parent.at, 'parked.paused');
  parent.send(REOPENED);
  assert.is(parent.at, 'parked.paused');
  parent.resume();
  parent.run().end();
  waitsAgain(parent);
});

test('queued on its way to resumePhase, it runs that first', () => {
  const parent = resumed();
  parent.end('interrupted');
  assert.is(parent.at, 'queued');
  parent.send(REOPENED);
  assert.is(parent.run().context.phase, 'aggregating');
  parent.end();
  waitsAgain(parent);
});

test('a settlement that arrives while it works is not lost: resumePhase runs for it', () => {
  const parent = resumed();
  parent.send(REOPENED);
  parent.send(SETTLED);
  parent.end();
  assert.equal(parent.at, 'queued');
  assert.equal(parent.run().context.phase, 'aggregating');
  assert.equal(countVisits(parent, 'aggregating'), 2);
});

test('while a sub-run is to run again nothing is registered', () => {
  const parent = resumed();
  parent.send(REOPENED);
  assert.equal(parent.tool('register_sub_run', { name: 'z' }), false);
  assert.equal(parent.tool('finalize_sub_runs'), false);
});

test('a sub-run that is a parent itself tells the dispatcher above it that it goes back to work', () => {
  const parent = new SteppedJob(CAMPAIGN_WORKFLOW, {
    subRunOf: { parentJobId: 'top-job-1', name: 'part', attempt: 1 },
    params: { epicAllowed: true },
  }).run();
  parent.tool('register_sub_run', { name: 'a' });
  parent.tool('finalize_sub_runs');
  parent.end();
  parent.send(SETTLED);
  parent.run().end();
  assert.is(parent.at, 'ended.complete');
  parent.send(REOPENED);
  const above = parent.effects.filter(
    ({ type, params }) => type === 'actor.send' && params.to === 'top-job-1.sub-runs',
  );
  assert.equal(
    above.map(({ params }) => params.event),
    [{ type: 'subRun.reopened', name: 'part', attempt: 1 }],
  );
});

test.run();
