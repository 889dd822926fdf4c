import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dispatching } from '../../support/charts/dispatcherSteps.ts';

const test = suite('dispatcher of sub-runs: what people and jobs do to one of them');

test('rerun: the next attempt, with what was skipped because of it; a word of the earlier attempt changes nothing (SUB-6)', () => {
  const all = dispatching(['a', 'b>a', 'c'], 2, 'continue');
  all.prepared('a');
  all.ended('a', 'failed', 'no build');
  all.command('rerun', 'a', { params: { depth: 2 } });
  assert.equal(all.marks, 'dpd');
  assert.equal(all.context.graph.attempts, [2, 1, 1]);
  assert.equal(all.asked, ['subRun.dispatch a']);
  assert.equal(all.effects.find(({ type }) => type === 'subRun.dispatch')?.params.attempt, 2);
  const { params, job_id, reason, attempt } = all.row('a');
  assert.equal(params, '{"depth":2}');
  assert.equal(job_id, null);
  assert.equal(reason, null);
  assert.equal(attempt, 2);
  assert.equal(all.row('b').status, 'pending');
  assert.equal(all.row('b').reason, null);
  assert.equal(all.ended('a', 'complete', null, 1), false);
  assert.equal(all.prepared('a', 1), false);
  assert.equal(all.prepared('a', 2), true);
  assert.equal(all.ended('a', 'complete', null, 2), true);
  assert.equal(all.marks, 'cdd');
});

test('rerun of one that was skipped because of a failure runs that again first, and changes nothing else (SUB-6)', () => {
  const all = dispatching(['a', 'b>a', 'c>b', 'd', 'e'], 1, 'continue');
  all.ended('a', 'failed');
  all.ended('d', 'failed');
  all.command('rerun', 'c');
  assert.equal(all.marks, 'rppfd');
  assert.equal(all.context.graph.attempts, [2, 1, 2, 1, 1]);
  assert.equal(all.row('a').status, 'ready');
  assert.equal(all.row('b').status, 'pending');
  assert.equal(all.row('b').attempt, 1);
});

test('rerun recalls what was about to begin after it: without a job yet, it waits again (SUB-6)', () => {
  const all = dispatching(['a', 'b>a', 'c>a', 'd>c'], 3);
  all.prepared('a');
  all.ended('a');
  all.prepared('c');
  assert.equal(all.marks, 'cdbp');
  assert.equal(all.command('rerun', 'a'), true);
  assert.equal(all.marks, 'dpbp');
  assert.equal(all.row('b').status, 'pending');
  assert.equal(all.row('b').job_id, null);
  assert.equal(all.prepared('b'), false, 'the job that was being made is not begun');
  assert.equal(all.row('b').job_id, null, 'the job that was being made is not begun');
  all.prepared('a', 2);
  all.ended('a', 'complete', null, 2);
  assert.equal(all.marks, 'cdbp');
  assert.equal(all.prepared('b'), true);
  assert.equal(all.marks, 'cbbp');
  assert.is(all.prepared('b'), false, 'what was asked for twice begins once');
});

test('an agent may have a sub-run run again once; a person as often as it takes (SUB-6)', () => {
  const all = dispatching(['a', 'b>a'], 2, 'continue');
  all.ended('a', 'failed');
  assert.is(all.command('rerun', 'a', { by: 'agent' }), true);
  all.parent('parked');
  all.ended('a', 'failed', null, 2);
  assert.equal(all.command('rerun', 'a', { by: 'agent' }), false);
  assert.equal(all.command('rerun', 'b', { by: 'agent' }), false);
  assert.is(all.command('rerun', 'a'), true);
});

test('reopened: a person continues the job, and what was skipped because of it may begin after all', () => {
  const all = dispatching(['a', 'b>a', 'c'], 2, 'continue');
  all.prepared('a');
  all.ended('a', 'failed');
  assert.is(all.send({ type: 'subRun.reopened', name: 'a', attempt: 1 }), true);
  assert.equal(all.marks, 'bpd');
  assert.equal(all.row('a').status, 'dispatched');
  assert.equal(all.row('b').status, 'pending');
  assert.equal(all.row('b').reason, null);
  all.ended('a');
  assert.is(all.marks, 'cdd');
});

test('reopened while the cap is full: a person does not wait for room, but nothing new begins until there is some (SUB-2)', () => {
  const all = dispatching(['a', 'b', 'c', 'd'], 1, 'continue');
  all.prepared('a');
  all.ended('a', 'failed');
  assert.is(all.marks, 'fdrr');
  all.send({ type: 'subRun.reopened', name: 'a', attempt: 1 });
  assert.equal(all.marks, 'bdrr', 'two are under way, one more than the cap');
  assert.equal(all.asked, [], 'two are under way, one more than the cap');
  all.ended('b');
  assert.equal(all.marks, 'bcrr', 'the cap is full again');
  assert.equal(all.asked, [], 'the cap is full again');
  all.ended('a');
  assert.equal(all.marks, 'ccdr');
  assert.equal(all.asked, ['subRun.dispatch c']);
  all.command('rerun', 'a');
  assert.equal(all.marks, 'rcdr', 'a rerun waits for room');
  assert.equal(all.asked, [], 'a rerun waits for room');
});

test('a sub-run with a job is asked to stop, and ends as its job does (SUB-6)', () => {
  const all = dispatching(['a', 'b'], 2);
  all.prepared('a');
  all.prepared('b');
  all.command('cancel', 'a', { reason: 'wrong' });
  assert.equal(all.marks, 'xb');
  assert.equal(all.asked, ['subRun.stop a']);
  assert.equal(all.row('a').status, 'dispatched');
  all.command('skip', 'b');
  assert.equal(all.marks, 'xk');
  assert.equal(all.asked, ['subRun.stop b']);
  assert.equal(all.command('skip', 'a'), false, 'they are being stopped already');
  assert.equal(all.command('rerun', 'b'), false, 'they are being stopped already');
  all.ended('b', 'cancelled', 'skipped by developer');
  assert.equal(all.marks, 'xs');
  assert.equal(all.row('b').status, 'skipped');
  assert.equal(all.row('b').reason, 'skipped by developer');
  all.ended('a');
  assert.equal(all.marks, 'cs', 'it got done first');
  assert.equal(all.row('a').reason, null, 'it got done first');
});

test('stopped before it has a job, it has ended, and gets none', () => {
  const all = dispatching(['a', 'b'], 2);
  all.command('skip', 'a');
  assert.equal(all.marks, 'sd');
  assert.equal(all.asked, []);
  assert.equal(all.row('a').status, 'skipped');
  assert.equal(all.prepared('a'), false);
  assert.equal(all.row('a').job_id, null);
});

test('a job that can never be made fails its sub-run with the reason', () => {
  const all = dispatching(['a'], 2, 'continue');
  all.send({ type: 'subRun.unprepared', name: 'a', attempt: 1, message: 'there is no workflow x' });
  assert.equal(all.at, 'settled');
  assert.equal(all.marks, 'f');
  assert.equal(all.row('a').reason, 'there is no workflow x');
});

test.run();
