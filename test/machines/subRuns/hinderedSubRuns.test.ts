import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { subRunsChart } from '../../../machines/index.ts';
import { type Dispatcher, dispatching, PARENT } from '../../support/charts/dispatcherSteps.ts';

const test = suite('dispatcher of sub-runs: jobs that cannot be created now');

const MINUTE_MS = 60_000;

const postponed = (all: Dispatcher, name: string, needsPerson = true): boolean =>
  all.send({ type: 'subRun.postponed', name, attempt: 1, message: 'no layer', needsPerson });

const retry = (all: Dispatcher): boolean => all.send({ type: 'subRuns.retry' });

/** In how many minutes it is tried again; null = the step has set no timer. */
const waits = (all: Dispatcher): number | null => {
  const set = all.effects.find(({ type }) => type === 'timer.set');
  return set ? (Number(set.params.due) - all.now) / MINUTE_MS : null;
};

/** What the step tells the parent; undefined = nothing. */
const lastHindrance = (
  all: Dispatcher,
): { message: string | null; needsPerson: boolean } | undefined => {
  const effect = all.effects.find(
    ({ type, params }) => type === 'actor.send' && Object(params.event).type === 'subRuns.hindered',
  );
  return effect && Object(effect.params.event);
};

test('it is ready with the reason, fails nothing, and leaves its place to others (SUB-2)', () => {
  const all = dispatching(['a', 'b'], 1);
  assert.is(postponed(all, 'a'), true);
  assert.is(all.at, 'dispatching');
  assert.is(all.marks, 'wd');
  assert.equal(all.asked, ['actor.send subRuns.hindered', 'subRun.dispatch b']);
  assert.equal([all.row('a').status, all.row('a').reason], ['ready', 'no layer']);
  assert.is(waits(all), 1);
  assert.is(lastHindrance(all)?.needsPerson, true);
  assert.match(
    lastHindrance(all)?.message ?? '',
    /the job of a cannot be created: no layer\. A person has to repair it; svc tries again by itself at 2026-/,
  );
});

test('it is tried again after 1, 2, 4 and 8 minutes, then every 15, for as long as it takes', () => {
  const all = dispatching(['a']);
  const delays = Array.from({ length: 14 }, () => {
    postponed(all, 'a');
    const minutes = waits(all);
    retry(all);
    assert.equal(all.asked, ['subRun.dispatch a']);
    return minutes;
  });
  assert.equal(delays, [1, 2, 4, 8, ...Array.from({ length: 10 }, () => 15)]);
});

test('what passes by itself needs a person when it has not passed after eleven waits', () => {
  const all = dispatching(['a']);
  const needs = Array.from({ length: 12 }, () => {
    postponed(all, 'a', false);
    const { needsPerson } = lastHindrance(all) ?? {};
    retry(all);
    return needsPerson;
  });
  assert.equal(needs, [...Array.from({ length: 11 }, () => false), true]);
});

test('when its job is created, the parent is notified once that nothing is in the way', () => {
  const all = dispatching(['a', 'b']);
  postponed(all, 'a');
  postponed(all, 'b');
  assert.is(lastHindrance(all), undefined, 'one reason is enough');
  assert.is(waits(all), null, 'both are tried together');
  retry(all);
  assert.is(all.marks, 'dd');
  all.prepared('a');
  assert.is(lastHindrance(all), undefined, 'b may be hindered again');
  all.prepared('b');
  assert.equal(lastHindrance(all), { type: 'subRuns.hindered', message: null, needsPerson: false });
  assert.is(all.context.hindered, null);
  all.ended('a');
  all.ended('b');
  assert.is(all.at, 'settled');
});

test('a making that the kernel has given up is tried again as well', () => {
  const all = dispatching(['a']);
  const params = { parentJobId: PARENT, name: 'a', attempt: 1 };
  const how = { effectId: 'e', type: 'subRun.dispatch', params, attempts: 4 };
  all.send(subRunsChart.createGivenUpEvent({ ...how, error: 'disk full', why: 'port-failed' }));
  assert.is(all.marks, 'w');
  assert.is(all.row('a').reason, 'disk full');
  assert.is(lastHindrance(all)?.needsPerson, false);
});

test('a person can skip or cancel it; then nothing is in the way any more (SUB-6)', () => {
  for (const [command, mark] of [
    ['skip', 's'],
    ['cancel', 'f'],
  ] as const) {
    const all = dispatching(['a'], 1, 'continue');
    postponed(all, 'a');
    assert.is(all.command(command, 'a'), true);
    assert.is(all.marks, mark);
    assert.is(all.context.hindered, null);
    assert.is(lastHindrance(all)?.message, null);
    assert.is(all.at, 'settled');
  }
});

test('beside a failure it waits for the decision; afterwards it is tried (SUB-6)', () => {
  const all = dispatching(['a', 'b']);
  postponed(all, 'a');
  all.ended('b', 'failed');
  assert.is(all.at, 'halted');
  retry(all);
  assert.is(all.marks, 'rf');
  all.command('cancel', 'b');
  assert.is(all.marks, 'dF');
});

test('a parent that waits again has it tried immediately, and one that has decided is notified again', () => {
  const paused = dispatching(['a']);
  postponed(paused, 'a');
  paused.parent('paused');
  paused.parent('parked');
  assert.equal(paused.asked, ['subRun.dispatch a']);
  const decided = dispatching(['a']);
  postponed(decided, 'a');
  decided.parent('parked');
  assert.is(lastHindrance(decided)?.needsPerson, true);
  assert.is(decided.marks, 'w');
});

test('the end of the parent skips it and ends the timer', () => {
  const all = dispatching(['a']);
  postponed(all, 'a');
  all.parent('ended');
  assert.is(all.at, 'closed');
  assert.is(all.marks, 'u');
  assert.ok(all.effects.some(({ type }) => type === 'timer.cancel'));
  assert.is(retry(all), false);
});

test('what it depends on is run again: it waits again', () => {
  const all = dispatching(['a', 'b>a'], 2);
  all.prepared('a');
  all.ended('a');
  postponed(all, 'b');
  assert.is(all.command('rerun', 'a'), true);
  assert.is(all.marks, 'dp');
  assert.is(all.row('b').status, 'pending');
});

test.run();
