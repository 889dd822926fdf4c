import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { subRunsChart } from '../../../machines/index.ts';
import { Dispatcher, dispatching, PARENT } from '../../support/charts/dispatcherSteps.ts';

const test = suite('dispatcher of sub-runs');

test('collecting → finalized → dispatching: nothing begins before the parent waits (SUB-2)', () => {
  const all = new Dispatcher();
  assert.is(all.at, 'collecting');
  assert.is(all.finalize(), false, 'nothing is registered');
  assert.equal(all.register('a', 'b>a', 'c>x'), [true, true, true]);
  assert.is(all.finalize(), false, 'x is not registered');
  assert.equal(all.register('c'), [true], 'a pending one is replaced');
  assert.is(all.finalize(1), true);
  assert.equal(all.at, 'finalized');
  assert.equal(all.marks, 'ppp');
  assert.equal(all.asked, []);
  all.parent('parked');
  assert.equal(all.at, 'dispatching');
  assert.equal(all.marks, 'dpr');
  assert.equal(all.asked, ['subRun.dispatch a']);
  assert.equal(
    all.rows('sub_runs').map(({ name, status, n }) => [name, status, n]),
    [
      ['a', 'dispatched', 0],
      ['b', 'pending', 1],
      ['c', 'ready', 2],
    ],
  );
});

test('a graph that comes with the start is finalized already; registering opens it again', () => {
  const graph = { names: ['a'], dependsOn: [[]], marks: 'p', attempts: [1] };
  const all = new Dispatcher({ finalized: { graph, cap: 3, policy: 'continue' } });
  assert.equal(all.at, 'finalized');
  assert.equal(all.context.cap, 3);
  assert.equal(all.context.policy, 'continue');
  all.register('b');
  assert.is(all.at, 'collecting');
  all.parent('parked');
  assert.is(all.at, 'collecting', 'nothing begins unfinished');
});

test('a job is started in the step that records it, and ends its sub-run; the last one settles and notifies the parent once', () => {
  const all = dispatching(['a', 'b>a']);
  all.prepared('a');
  assert.equal(all.asked, ['actor.start a-job-1']);
  assert.equal(all.row('a').job_id, 'a-job-1');
  assert.equal(all.row('a').started_at, all.now);
  all.ended('a');
  assert.equal(all.at, 'dispatching');
  assert.equal(all.marks, 'cd');
  assert.equal(all.asked, ['subRun.dispatch b']);
  assert.equal(all.row('a').status, 'complete');
  assert.equal(all.row('a').reason, null);
  assert.equal(all.row('a').completed_at, all.now);
  all.prepared('b');
  all.ended('b');
  assert.equal(all.at, 'settled');
  assert.equal(all.marks, 'cc');
  assert.equal(all.asked, ['actor.send subRuns.settled']);
  assert.equal(all.effect('actor.send'), {
    to: PARENT,
    event: {
      type: 'subRuns.settled',
      counts: {
        pending: 0,
        ready: 0,
        dispatched: 0,
        complete: 2,
        failed: 0,
        escalated: 0,
        skipped: 0,
      },
      failures: [],
      failed: 0,
    },
  });
  assert.equal(all.parent('parked'), false, 'it is over');
  assert.equal(all.ended('b'), false, 'it is over');
  assert.equal(all.command('skip', 'a'), false, 'it is over');
  assert.equal(all.at, 'settled', 'it is over');
});

test('settled → collecting: another registration is a second round', () => {
  const all = dispatching(['a']);
  all.prepared('a');
  all.ended('a');
  assert.equal(all.register('a', 'b>a'), [false, true]);
  all.finalize();
  all.parent('parked');
  assert.equal(all.at, 'dispatching');
  assert.equal(all.marks, 'cd');
  assert.equal(all.asked, ['subRun.dispatch b']);
});

const ENDS: [
  outcome: string,
  message: string | null,
  mark: string,
  status: string,
  reason: string | null,
][] = [
  ['complete', null, 'c', 'complete', null],
  ['failed', 'no build', 'f', 'failed', 'no build'],
  ['failed', null, 'f', 'failed', 'failed'],
  ['escalated', 'help', 'e', 'escalated', 'help'],
  ['cancelled', null, 'f', 'failed', 'cancelled'],
  ['cancelled', 'not now', 'f', 'failed', 'cancelled: not now'],
];

for (const [outcome, message, mark, status, reason] of ENDS) {
  test(`a job that is ${outcome} (${message}) makes its sub-run ${status}, reason ${reason}`, () => {
    const all = dispatching(['a', 'z']);
    all.prepared('a');
    all.ended('a', outcome, message);
    assert.equal(all.marks[0], mark);
    assert.equal(all.row('a').status, status);
    assert.equal(all.row('a').reason, reason);
  });
}

test('a failure of an earlier round does not halt the next one (SUB-4)', () => {
  const it = new Dispatcher();
  it.register('a');
  it.finalize();
  it.parent('parked');
  it.prepared('a');
  it.ended('a', 'failed', 'no');
  it.command('cancel', 'a');
  assert.is(it.state.value, 'settled');
  it.register('b');
  it.finalize();
  it.parent('parked');
  assert.equal(it.state.value, 'dispatching');
  assert.equal(it.marks, 'Fd');
});

test('a stop that was given up is taken back, so that it can be asked for again', () => {
  const it = new Dispatcher();
  it.register('a');
  it.finalize();
  it.parent('parked');
  it.prepared('a');
  it.command('cancel', 'a');
  assert.is(it.marks, 'x');
  it.send({
    type: 'effect.givenUp',
    effect: 'subRun.stop',
    name: 'a',
    attempt: 1,
    error: 'no disk',
  });
  assert.is(it.marks, 'b');
  assert.ok(it.command('cancel', 'a'));
});

test('halted: a failure waits for a person, what runs continues; after a skip the others continue too (SUB-4)', () => {
  const all = dispatching(['a', 'b', 'c', 'd>a']);
  all.prepared('a');
  all.prepared('b');
  all.ended('a', 'failed', 'no build');
  assert.equal(all.at, 'halted');
  assert.equal(all.marks, 'fbrp');
  assert.equal(all.asked, ['actor.send subRuns.halted']);
  assert.equal(all.effect('actor.send'), {
    to: PARENT,
    event: { type: 'subRuns.halted', names: ['a'] },
  });
  all.ended('b');
  assert.equal(all.at, 'halted', 'it comes back while the failure stands');
  assert.equal(all.marks, 'fcrp', 'it comes back while the failure stands');
  all.command('skip', 'a', { reason: 'not needed' });
  assert.equal(all.at, 'dispatching');
  assert.equal(all.marks, 'scdd');
  assert.equal(all.row('a').status, 'skipped');
  assert.equal(all.row('a').reason, 'skipped by developer: not needed');
});

test('another failure while it is halted, and a decision about one of two, notify the parent of what is left', () => {
  const all = dispatching(['a', 'b', 'c'], 2);
  all.prepared('a');
  all.prepared('b');
  all.ended('a', 'failed', 'no build');
  all.ended('b', 'escalated', 'help');
  assert.equal(all.at, 'halted');
  const names = () => Object(all.effect('actor.send')).event.names as unknown;
  assert.equal(names(), ['a', 'b']);
  all.command('skip', 'a');
  assert.equal(all.at, 'halted');
  assert.equal(names(), ['b']);
  all.command('unskip', 'a');
  assert.equal(names(), ['a', 'b']);
  all.command('skip', 'c');
  assert.equal(all.asked, [], 'nothing else waits for a decision');
});

test('a parent that comes to wait while it is halted is notified of that alone: the two must not answer each other forever', () => {
  const all = dispatching(['a', 'b>a']);
  all.ended('a', 'failed');
  assert.is(all.parent('parked'), true);
  assert.equal(all.at, 'halted');
  assert.equal(all.asked, ['actor.send subRuns.halted']);
});

test('the last sub-run escalates: the campaign is halted, and the parent does not continue before a person has decided (SUB-4)', () => {
  const all = dispatching(['a', 'b'], 1);
  all.ended('a');
  all.ended('b', 'escalated', 'help');
  assert.equal(all.at, 'halted');
  assert.equal(all.marks, 'ce');
  assert.equal(all.asked, ['actor.send subRuns.halted']);
  assert.is(all.command('cancel', 'b', { reason: 'without it' }), true);
  assert.equal(all.at, 'settled');
  assert.equal(all.marks, 'cE');
  assert.equal(all.asked, ['actor.send subRuns.goOn', 'actor.send subRuns.settled']);
  assert.equal(all.row('b').status, 'escalated');
  assert.equal(all.row('b').reason, 'help', 'why it escalated is kept');
});

test('the same under continue: the parent continues with what there is', () => {
  const all = dispatching(['a', 'b'], 1, 'continue');
  all.ended('a');
  all.ended('b', 'escalated', 'help');
  assert.equal(all.at, 'settled');
  assert.is(all.command('cancel', 'b'), false);
});

test('the last one fails while the parent is paused: it is halted when the parent waits again', () => {
  const all = dispatching(['a'], 1);
  all.prepared('a');
  all.parent('paused');
  all.ended('a', 'failed');
  assert.equal(all.at, 'held');
  all.parent('parked');
  assert.equal(all.at, 'halted');
});

test('halted → settled: a person cancels what has failed, and what depends on it is skipped', () => {
  const all = dispatching(['a', 'b>a'], 1);
  all.ended('a', 'failed');
  all.command('cancel', 'a');
  assert.equal(all.at, 'settled');
  assert.equal(all.marks, 'Fu');
  assert.equal(all.row('b').reason, 'waits for a, which failed');
});

test('continue: what waits for a failure is skipped with that as its reason (SUB-4)', () => {
  const all = dispatching(['a', 'b>a', 'c'], 1, 'continue');
  all.ended('a', 'failed', 'no build');
  assert.equal(all.at, 'dispatching');
  assert.equal(all.marks, 'fud');
  assert.equal(all.row('b').reason, 'waits for a, which failed');
});

test('held: a paused parent begins nothing new; what runs ends; parked again, it continues', () => {
  const all = dispatching(['a', 'b', 'c>a'], 1);
  all.prepared('a');
  all.parent('paused');
  all.ended('a');
  assert.equal(all.at, 'held');
  assert.equal(all.marks, 'crr');
  assert.equal(all.asked, []);
  all.parent('parked');
  assert.equal(all.at, 'dispatching');
  assert.equal(all.marks, 'cdr');
  assert.equal(all.asked, ['subRun.dispatch b']);
  all.parent('paused');
  all.command('skip', 'c');
  all.ended('b');
  assert.equal(all.at, 'settled', 'a paused parent learns the end as well');
  assert.equal(all.asked, ['actor.send subRuns.settled'], 'a paused parent learns the end as well');
});

test('closing → closed: the parent is over; what runs is stopped, the rest is skipped, no one is notified', () => {
  const all = dispatching(['a', 'b', 'c>a'], 1);
  all.prepared('a');
  all.parent('ended');
  assert.equal(all.at, 'closing');
  assert.equal(all.marks, 'xuu');
  assert.equal(all.asked, ['subRun.stop a']);
  assert.equal(all.row('b').reason, 'its parent has ended');
  assert.equal(all.register('d'), [false]);
  assert.equal(all.command('rerun', 'b'), false);
  all.ended('a', 'cancelled', 'its parent has ended');
  assert.equal(all.at, 'closed');
  assert.equal(all.marks, 'fuu');
  assert.equal(all.asked, []);
  assert.equal(all.row('a').reason, 'cancelled: its parent has ended');
  assert.equal(all.register('d'), [true], 'a parent that is run again registers sub-runs again');
  assert.equal(all.at, 'collecting', 'a parent that is run again registers sub-runs again');
});

for (const state of ['collecting', 'finalized', 'halted', 'held'] as const) {
  test(`the parent's end closes it from ${state}`, () => {
    const all = state === 'halted' || state === 'held' ? dispatching(['a'], 1) : new Dispatcher();
    if (state === 'collecting') all.register('a');
    if (state === 'finalized') {
      all.register('a');
      all.finalize();
    }
    if (state === 'held') all.parent('paused');
    if (state === 'halted') {
      const [, again] = [all.ended('a', 'failed'), dispatching(['a', 'b'], 1)];
      again.ended('a', 'failed');
      assert.is(again.at, 'halted');
      again.parent('ended');
      return assert.equal([again.at, again.marks], ['closed', 'fu']);
    }
    assert.is(all.at, state);
    all.parent('ended');
    assert.equal(all.at, 'closed');
    assert.equal(all.marks, 'u');
  });
}

test('a failed or escalated sub-run whose job is cancelled afterwards is failed with the reason cancelled, once (SUB-6, JOB-9)', () => {
  for (const outcome of ['failed', 'escalated']) {
    const all = dispatching(['a', 'b']);
    all.ended('a', outcome, 'no key');
    all.ended('b');
    assert.is(all.at, 'halted');
    assert.is(all.ended('a', 'cancelled', 'enough'), true);
    assert.equal(all.at, 'halted');
    assert.equal(all.marks, 'fc');
    assert.equal(all.row('a').status, 'failed');
    assert.equal(all.row('a').reason, 'cancelled: enough');
    assert.equal(all.asked, []);
  }
  const complete = dispatching(['a']);
  complete.ended('a');
  assert.is(complete.ended('a', 'cancelled'), false);
});

test('clear forgets them all, rows too', () => {
  const all = dispatching(['a']);
  assert.is(all.send({ type: 'subRuns.clear' }), false, 'not while they are under way');
  all.ended('a');
  all.send({ type: 'subRuns.clear' });
  assert.equal(all.at, 'collecting');
  assert.equal(all.context.graph.names, []);
  assert.equal(all.rows('sub_runs'), []);
});

test('in lists it is the dispatcher of its parent and holds no slot', () => {
  const all = dispatching(['a']);
  const entry = {
    label: 'dispatching',
    kind: 'subRuns',
    parent: PARENT,
    slot: false,
    waitingSince: null,
    activity: 'live',
  };
  assert.equal(subRunsChart.index(all.state), entry);
  all.ended('a');
  assert.equal(subRunsChart.index(all.state), { ...entry, label: 'settled', activity: 'ended' });
});

test('every state says what it waits for, every event has a sender, every guard a note', () => {
  for (const [name, { meta }] of Object.entries(subRunsChart.machine.states)) {
    if (name !== 'starting') assert.match(Object(meta).waits, /^for /u, name);
  }
  const events = Object.values(subRunsChart.machine.states).flatMap(({ transitions }) => [
    ...transitions.keys(),
  ]);
  assert.equal([...new Set(events)].toSorted(), Object.keys(subRunsChart.senders).toSorted());
  assert.equal(
    Object.keys(subRunsChart.guards).toSorted(),
    Object.keys(subRunsChart.machine.implementations.guards).toSorted(),
  );
});

test.run();
