import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type SubRunsContext, type SubRunsInput, subRunsChart } from '../../machines/index.ts';
import type { FailurePolicy } from '../../src/schema/workflow.ts';
import { SteppedChart } from '../support/stepChart.ts';

const test = suite('dispatcher of sub-runs');

const PARENT = 'shop-job-1';
const START = Date.UTC(2026, 0, 1);
type Command = 'skip' | 'cancel' | 'rerun';

/** A dispatcher driven step by step, in the words of those who drive it. */
class Dispatcher extends SteppedChart<SubRunsContext> {
  constructor(more: Partial<SubRunsInput> = {}) {
    super(subRunsChart, { parentJobId: PARENT, attended: true, createdAt: START, ...more } satisfies SubRunsInput);
  }

  /** `b>a`: registers b, which waits for a. */
  register(...nodes: string[]): boolean[] {
    return nodes.map((node) => {
      const [name = '', needed] = node.split('>');
      return this.send({
        type: 'subRuns.register',
        spec: { name, description: `does ${name}`, dependsOn: needed?.split(',') ?? [] },
      });
    });
  }

  finalize(cap = 2, policy: FailurePolicy = 'halt-on-failure'): boolean {
    return this.send({ type: 'subRuns.finalize', cap, policy });
  }

  parent(word: 'parked' | 'paused' | 'ended'): boolean {
    return this.send({ type: `parent.${word}` });
  }

  /** The job of a sub-run is made. */
  prepared(name: string, attempt = 1): boolean {
    return this.send({ type: 'subRun.prepared', name, attempt, jobId: `${name}-job-${attempt}`, input: {} });
  }

  ended(name: string, outcome = 'complete', message: string | null = null, attempt = 1): boolean {
    return this.send({ type: 'subRun.ended', name, attempt, outcome, message });
  }

  command(command: Command, name: string, more: Record<string, unknown> = {}): boolean {
    return this.send({ type: `subRuns.${command}`, name, reason: null, by: 'developer', params: null, ...more });
  }

  get marks(): string {
    return this.context.graph.marks;
  }

  get asked(): string[] {
    return this.effects
      .filter(({ type }) => ['subRun.dispatch', 'subRun.stop', 'actor.start', 'actor.send'].includes(type))
      .map(({ type, params }) => `${type} ${params.name ?? params.id ?? Object(params.event).type}`);
  }

  row(name: string): Record<string, unknown> {
    const row = this.rows('sub_runs').find((one) => one.name === name);
    if (!row) throw new Error(`there is no row ${name}`);
    return row;
  }
}

const dispatching = (nodes: string[], cap = 2, policy: FailurePolicy = 'halt-on-failure', attended = true): Dispatcher => {
  const all = new Dispatcher({ attended });
  all.register(...nodes);
  all.finalize(cap, policy);
  all.parent('parked');
  return all;
};

test('collecting → finalized → dispatching: nothing begins before the parent waits (SUB-2)', () => {
  const all = new Dispatcher();
  assert.is(all.at, 'collecting');
  assert.is(all.finalize(), false, 'nothing is registered');
  assert.equal(all.register('a', 'b>a', 'c>x'), [true, true, true]);
  assert.is(all.finalize(), false, 'x is not registered');
  assert.equal(all.register('c'), [true], 'a pending one is replaced');
  assert.is(all.finalize(1), true);
  assert.equal([all.at, all.marks, all.asked], ['finalized', 'ppp', []]);
  all.parent('parked');
  assert.equal([all.at, all.marks, all.asked], ['dispatching', 'dpr', ['subRun.dispatch a']]);
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
  assert.equal([all.at, all.context.cap, all.context.policy], ['finalized', 3, 'continue']);
  all.register('b');
  assert.is(all.at, 'collecting');
  all.parent('parked');
  assert.is(all.at, 'collecting', 'nothing begins unfinished');
});

test('a job is started in the step that says so, and ends its sub-run; the last one settles and tells the parent once', () => {
  const all = dispatching(['a', 'b>a']);
  all.prepared('a');
  assert.equal([all.asked, all.row('a').job_id, all.row('a').started_at], [['actor.start a-job-1'], 'a-job-1', all.now]);
  all.ended('a');
  assert.equal([all.at, all.marks, all.asked], ['dispatching', 'cd', ['subRun.dispatch b']]);
  assert.equal([all.row('a').status, all.row('a').reason, all.row('a').completed_at], ['complete', null, all.now]);
  all.prepared('b');
  all.ended('b');
  assert.equal([all.at, all.marks, all.asked], ['settled', 'cc', ['actor.send subRuns.settled']]);
  assert.equal(all.effect('actor.send'), {
    to: PARENT,
    event: {
      type: 'subRuns.settled',
      counts: { pending: 0, ready: 0, dispatched: 0, complete: 2, failed: 0, escalated: 0, skipped: 0 },
      failures: [],
      failed: 0,
    },
  });
  assert.equal(
    [all.parent('parked'), all.ended('b'), all.command('rerun', 'a'), all.at],
    [false, false, false, 'settled'],
    'it is over',
  );
});

test('settled → collecting: another registration is a second round', () => {
  const all = dispatching(['a']);
  all.prepared('a');
  all.ended('a');
  assert.equal(all.register('a', 'b>a'), [false, true]);
  all.finalize();
  all.parent('parked');
  assert.equal([all.at, all.marks, all.asked], ['dispatching', 'cd', ['subRun.dispatch b']]);
});

const ENDS: [outcome: string, message: string | null, mark: string, status: string, reason: string | null][] = [
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
    assert.equal([all.marks[0], all.row('a').status, all.row('a').reason], [mark, status, reason]);
  });
}

test('a failure of an earlier round does not halt the next one (SUB-4)', () => {
  const it = new Dispatcher();
  it.register('a');
  it.finalize();
  it.parent('parked');
  it.prepared('a');
  it.ended('a', 'failed', 'no');
  assert.is(it.state.value, 'settled');
  it.register('b');
  it.finalize();
  it.parent('parked');
  assert.equal([it.state.value, it.marks], ['dispatching', 'fd']);
});

test('a stop that was given up is taken back, so that it can be asked for again', () => {
  const it = new Dispatcher();
  it.register('a');
  it.finalize();
  it.parent('parked');
  it.prepared('a');
  it.command('cancel', 'a');
  assert.is(it.marks, 'x');
  it.send({ type: 'effect.givenUp', effect: 'subRun.stop', name: 'a', attempt: 1, error: 'no disk' });
  assert.is(it.marks, 'd');
  assert.ok(it.command('cancel', 'a'));
});

test('halted: a failure waits for a person, what runs goes on; a skip lets it go on (SUB-4)', () => {
  const all = dispatching(['a', 'b', 'c', 'd>a']);
  all.prepared('a');
  all.prepared('b');
  all.ended('a', 'failed', 'no build');
  assert.equal([all.at, all.marks, all.asked], ['halted', 'fdrp', ['actor.send subRuns.halted']]);
  assert.equal(all.effect('actor.send'), { to: PARENT, event: { type: 'subRuns.halted', names: ['a'] } });
  all.ended('b');
  assert.equal([all.at, all.marks], ['halted', 'fcrp'], 'it comes back while the failure stands');
  all.command('skip', 'a', { reason: 'not needed' });
  assert.equal([all.at, all.marks], ['dispatching', 'scdd']);
  assert.equal([all.row('a').status, all.row('a').reason], ['skipped', 'skipped by developer: not needed']);
});

test('a parent that comes to wait while it is halted is told so, and nothing else: the two must not answer each other for ever', () => {
  const all = dispatching(['a', 'b>a']);
  all.ended('a', 'failed');
  assert.is(all.parent('parked'), true);
  assert.equal([all.at, all.asked], ['halted', ['actor.send subRuns.halted']]);
});

test('halted → settled: when a person cancels what has not begun, all have ended', () => {
  const all = dispatching(['a', 'b>a'], 1);
  all.ended('a', 'failed');
  all.command('cancel', 'b');
  assert.equal([all.at, all.marks, all.row('b').reason], ['settled', 'ff', 'cancelled by developer']);
});

test('nobody is there to decide: what has not begun is skipped, and it settles (SUB-4)', () => {
  const all = dispatching(['a', 'b', 'c'], 1, 'halt-on-failure', false);
  all.ended('a', 'escalated', 'help');
  assert.equal([all.at, all.marks], ['settled', 'euu']);
  assert.is(all.row('c').reason, 'a failed and nobody is there to decide');
});

test('continue: what waits for a failure is skipped and says so (SUB-4)', () => {
  const all = dispatching(['a', 'b>a', 'c'], 1, 'continue');
  all.ended('a', 'failed', 'no build');
  assert.equal([all.at, all.marks, all.row('b').reason], ['dispatching', 'fud', 'waits for a, which failed']);
});

test('rerun: the next attempt, with what was skipped because of it; a word of the earlier attempt changes nothing (SUB-6)', () => {
  const all = dispatching(['a', 'b>a', 'c'], 2, 'continue');
  all.prepared('a');
  all.ended('a', 'failed', 'no build');
  all.command('rerun', 'a', { params: { depth: 2 } });
  assert.equal([all.marks, all.context.graph.attempts, all.asked], ['dpd', [2, 1, 1], ['subRun.dispatch a']]);
  assert.equal(all.effects.find(({ type }) => type === 'subRun.dispatch')?.params.attempt, 2);
  const { params, job_id, reason, attempt } = all.row('a');
  assert.equal([params, job_id, reason, attempt], ['{"depth":2}', null, null, 2]);
  assert.equal([all.row('b').status, all.row('b').reason], ['pending', null]);
  assert.equal([all.ended('a', 'complete', null, 1), all.prepared('a', 1)], [false, false]);
  assert.equal([all.prepared('a', 2), all.ended('a', 'complete', null, 2), all.marks], [true, true, 'cdd']);
});

test('rerun of one that waits for a skipped one is skipped as well: it must not wait for ever', () => {
  const all = dispatching(['a', 'b>a', 'c>b', 'd'], 1, 'continue');
  all.ended('a', 'failed');
  all.command('rerun', 'c');
  assert.equal([all.marks, all.row('c').reason], ['fuud', 'waits for a, which failed']);
});

test('reopened: a person lets the job go on, and what was skipped because of it may begin after all', () => {
  const all = dispatching(['a', 'b>a', 'c'], 2, 'continue');
  all.prepared('a');
  all.ended('a', 'failed');
  assert.is(all.send({ type: 'subRun.reopened', name: 'a', attempt: 1 }), true);
  assert.equal(
    [all.marks, all.row('a').status, all.row('b').status, all.row('b').reason],
    ['dpd', 'dispatched', 'pending', null],
  );
  all.ended('a');
  assert.is(all.marks, 'cdd');
});

test('what has a job is told to stop, and ended is what its job says (SUB-6)', () => {
  const all = dispatching(['a', 'b'], 2);
  all.prepared('a');
  all.prepared('b');
  all.command('cancel', 'a', { reason: 'wrong' });
  assert.equal([all.marks, all.asked, all.row('a').status], ['xd', ['subRun.stop a'], 'dispatched']);
  all.command('skip', 'b');
  assert.equal([all.marks, all.asked], ['xk', ['subRun.stop b']]);
  assert.equal([all.command('skip', 'a'), all.command('rerun', 'b')], [false, false], 'they are being stopped already');
  all.ended('b', 'cancelled', 'skipped by developer');
  assert.equal([all.marks, all.row('b').status, all.row('b').reason], ['xs', 'skipped', 'skipped by developer']);
  all.ended('a');
  assert.equal([all.marks, all.row('a').reason], ['cs', null], 'it got done first');
});

test('stopped before it has a job, it gets none', () => {
  const all = dispatching(['a', 'b'], 2);
  all.command('skip', 'a');
  all.prepared('a');
  assert.equal([all.marks, all.asked, all.row('a').job_id], ['sd', [], null]);
});

test('a job that cannot be made, or whose making was given up, fails its sub-run with the reason', () => {
  const all = dispatching(['a', 'b'], 2, 'continue');
  all.send({ type: 'subRun.unprepared', name: 'a', attempt: 1, message: 'there is no workflow x' });
  const params = { parentJobId: PARENT, name: 'b', attempt: 1 };
  all.send(
    subRunsChart.givenUp({ effectId: 'e', type: 'subRun.dispatch', params, attempts: 4, error: 'disk full', why: 'port-failed' }),
  );
  assert.equal(
    [all.at, all.marks, all.row('a').reason, all.row('b').reason],
    ['settled', 'ff', 'there is no workflow x', 'disk full'],
  );
});

test('held: a paused parent begins nothing new; what runs ends; parked again, it goes on', () => {
  const all = dispatching(['a', 'b', 'c>a'], 1);
  all.prepared('a');
  all.parent('paused');
  all.ended('a');
  assert.equal([all.at, all.marks, all.asked], ['held', 'crr', []]);
  all.parent('parked');
  assert.equal([all.at, all.marks, all.asked], ['dispatching', 'cdr', ['subRun.dispatch b']]);
  all.parent('paused');
  all.command('cancel', 'c');
  all.ended('b');
  assert.equal([all.at, all.asked], ['settled', ['actor.send subRuns.settled']], 'a paused parent learns the end as well');
});

test('closing → closed: the parent is over; what runs is stopped, the rest is skipped, nobody is told', () => {
  const all = dispatching(['a', 'b', 'c>a'], 1);
  all.prepared('a');
  all.parent('ended');
  assert.equal(
    [all.at, all.marks, all.asked, all.row('b').reason],
    ['closing', 'xuu', ['subRun.stop a'], 'its parent has ended'],
  );
  assert.equal([all.register('d'), all.command('rerun', 'b')], [[false], false]);
  all.ended('a', 'cancelled', 'its parent has ended');
  assert.equal([all.at, all.marks, all.asked, all.row('a').reason], ['closed', 'fuu', [], 'cancelled: its parent has ended']);
  assert.equal([all.register('d'), all.at], [[true], 'collecting'], 'a parent that is run again registers anew');
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
    assert.equal([all.at, all.marks], state === 'held' ? ['closing', 'x'] : ['closed', 'u']);
  });
}

test('clear forgets them all, rows too', () => {
  const all = dispatching(['a']);
  assert.is(all.send({ type: 'subRuns.clear' }), false, 'not while they are under way');
  all.ended('a');
  all.send({ type: 'subRuns.clear' });
  assert.equal([all.at, all.context.graph.names, all.rows('sub_runs')], ['collecting', [], []]);
});

test('in lists it is the dispatcher of its parent and holds no slot', () => {
  const all = dispatching(['a']);
  const entry = { label: 'dispatching', kind: 'subRuns', parent: PARENT, slot: false, waitingSince: null, activity: 'live' };
  assert.equal(subRunsChart.index(all.state), entry);
  all.ended('a');
  assert.equal(subRunsChart.index(all.state), { ...entry, label: 'settled', activity: 'ended' });
});

test('every state says what it waits for, every event has a sender, every guard a note', () => {
  for (const [name, { meta }] of Object.entries(subRunsChart.machine.states)) {
    if (name !== 'starting') assert.match(Object(meta).waits, /^for /u, name);
  }
  const events = Object.values(subRunsChart.machine.states).flatMap(({ transitions }) => [...transitions.keys()]);
  assert.equal([...new Set(events)].toSorted(), Object.keys(subRunsChart.senders).toSorted());
  assert.equal(Object.keys(subRunsChart.guards).toSorted(), Object.keys(subRunsChart.machine.implementations.guards).toSorted());
});

test.run();
