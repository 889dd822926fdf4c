import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findCommandProblem } from '../../../machines/index.ts';
import { dispatching } from '../../support/charts/dispatcherSteps.ts';

const test = suite('dispatcher of sub-runs: a skip that is undone');

test('one that waited waits again, and what depends on it as well (SUB-6)', () => {
  const all = dispatching(['a', 'b>a', 'c>b'], 1);
  all.prepared('a');
  all.command('skip', 'b');
  assert.equal(all.marks, 'bsr');
  assert.is(all.command('unskip', 'b'), true);
  assert.equal(all.marks, 'bpp');
  assert.equal(all.row('b').status, 'pending');
  assert.is(all.row('b').reason, null);
  assert.is(all.row('b').completed_at, null);
  all.ended('a');
  assert.equal(all.asked, ['subRun.dispatch b']);
});

test('a failure waits for a decision again, with its reason and its time', () => {
  const all = dispatching(['a', 'b>a', 'c'], 1);
  all.prepared('a');
  all.ended('a', 'failed', 'no build');
  assert.equal(all.at, 'halted');
  all.parent('paused');
  all.command('skip', 'a', { was: { reason: 'no build', completedAt: 17 } });
  assert.is(all.row('a').before_skip, '{"reason":"no build","completedAt":17}');
  assert.is(all.command('unskip', 'a', { was: { reason: 'no build', completedAt: 17 } }), true);
  assert.equal(all.row('a').status, 'failed');
  assert.equal(all.row('a').reason, 'no build');
  assert.equal(all.row('a').completed_at, 17);
  assert.is(all.row('a').before_skip, null);
  all.parent('parked');
  assert.equal(all.at, 'halted');
  assert.equal(all.asked, ['actor.send subRuns.halted']);
});

test('what was about to begin because of the skip waits again; with a job it has started, and nothing is undone', () => {
  const all = dispatching(['a', 'b>a', 'c'], 2);
  all.prepared('c');
  all.command('skip', 'a');
  assert.equal(all.marks, 'sdb');
  assert.is(all.command('unskip', 'a'), true);
  assert.equal(all.marks, 'dpb');
  assert.equal(all.row('b').status, 'pending');
  all.command('skip', 'a');
  all.prepared('b');
  assert.equal(all.marks, 'sbb');
  assert.is(all.command('unskip', 'a'), false);
});

test('not when its job was stopped for it, not when it was not skipped by a person, not after the end', () => {
  const all = dispatching(['a', 'b', 'c'], 2, 'continue');
  all.prepared('a');
  all.command('skip', 'a');
  assert.is(all.command('unskip', 'a'), false, 'it is being stopped');
  all.ended('a', 'cancelled');
  assert.equal(all.marks, 'sdd');
  assert.is(all.command('unskip', 'a'), false, 'its job was stopped');
  assert.is(all.command('unskip', 'b'), false, 'it runs');
  all.ended('c');
  all.command('skip', 'b');
  assert.equal(all.at, 'settled');
  assert.is(all.command('unskip', 'b'), false, 'the campaign has settled');
});

test('a rerun and a second round forget that it was skipped', () => {
  const all = dispatching(['a', 'b'], 1);
  all.prepared('a');
  all.command('skip', 'b');
  all.command('rerun', 'b');
  assert.equal(all.context.skippedFrom, {});
  all.command('skip', 'b');
  all.ended('a');
  assert.equal(all.at, 'settled');
  all.register('c');
  all.finalize();
  all.parent('parked');
  assert.equal(all.marks, 'csd');
  assert.is(all.command('unskip', 'b'), false);
});

test('a snapshot of a runner that did not know it yet undoes nothing', () => {
  const all = dispatching(['a', 'b'], 1);
  all.prepared('a');
  all.command('skip', 'b');
  const { skippedFrom: _, ...before } = all.context;
  const event = { type: 'subRuns.unskip', name: 'b' } as const;
  assert.is(findCommandProblem(all.context, event), null);
  assert.match(findCommandProblem(before, event) ?? '', 'cannot be undone any more');
});

test.run();
