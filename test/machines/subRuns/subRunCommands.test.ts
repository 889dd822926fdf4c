import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { subRunsChart } from '../../../machines/index.ts';
import { dispatching, PARENT } from '../../support/charts/dispatcherSteps.ts';

const test = suite('dispatcher of sub-runs: what people and jobs do to one of them');

test('rerun: the next attempt, with what was skipped because of it; a word of the earlier attempt changes nothing (SUB-6)', () => {
  const all = dispatching(['a', 'b>a', 'c'], 2, 'continue');
  all.prepared('a');
  all.ended('a', 'failed', 'no build');
  all.command('rerun', 'a', { params: { depth: 2 } });
  assert.equal(
    [all.marks, all.context.graph.attempts, all.asked],
    ['dpd', [2, 1, 1], ['subRun.dispatch a']],
  );
  assert.equal(all.effects.find(({ type }) => type === 'subRun.dispatch')?.params.attempt, 2);
  const { params, job_id, reason, attempt } = all.row('a');
  assert.equal([params, job_id, reason, attempt], ['{"depth":2}', null, null, 2]);
  assert.equal([all.row('b').status, all.row('b').reason], ['pending', null]);
  assert.equal([all.ended('a', 'complete', null, 1), all.prepared('a', 1)], [false, false]);
  assert.equal(
    [all.prepared('a', 2), all.ended('a', 'complete', null, 2), all.marks],
    [true, true, 'cdd'],
  );
});

test('rerun of one that was skipped because of a failure runs that again first, and changes nothing else (SUB-6)', () => {
  const all = dispatching(['a', 'b>a', 'c>b', 'd', 'e'], 1, 'continue');
  all.ended('a', 'failed');
  all.ended('d', 'failed');
  all.command('rerun', 'c');
  assert.equal([all.marks, all.context.graph.attempts], ['rppfd', [2, 1, 2, 1, 1]]);
  assert.equal(
    [all.row('a').status, all.row('b').status, all.row('b').attempt],
    ['ready', 'pending', 1],
  );
});

test('rerun recalls what was about to begin after it: without a job yet, it waits again (SUB-6)', () => {
  const all = dispatching(['a', 'b>a', 'c>a', 'd>c'], 3);
  all.prepared('a');
  all.ended('a');
  all.prepared('c');
  assert.equal([all.marks, all.command('rerun', 'a'), all.marks], ['cdbp', true, 'dpbp']);
  assert.equal([all.row('b').status, all.row('b').job_id], ['pending', null]);
  assert.equal(
    [all.prepared('b'), all.row('b').job_id],
    [false, null],
    'the job that was being made is not begun',
  );
  all.prepared('a', 2);
  all.ended('a', 'complete', null, 2);
  assert.equal([all.marks, all.prepared('b'), all.marks], ['cdbp', true, 'cbbp']);
  assert.is(all.prepared('b'), false, 'what was asked for twice begins once');
});

test('an agent may have a sub-run run again once; a person as often as it takes (SUB-6)', () => {
  const all = dispatching(['a', 'b>a'], 2, 'continue');
  all.ended('a', 'failed');
  assert.is(all.command('rerun', 'a', { by: 'agent' }), true);
  all.parent('parked');
  all.ended('a', 'failed', null, 2);
  assert.equal(
    [all.command('rerun', 'a', { by: 'agent' }), all.command('rerun', 'b', { by: 'agent' })],
    [false, false],
  );
  assert.is(all.command('rerun', 'a'), true);
});

test('reopened: a person continues the job, and what was skipped because of it may begin after all', () => {
  const all = dispatching(['a', 'b>a', 'c'], 2, 'continue');
  all.prepared('a');
  all.ended('a', 'failed');
  assert.is(all.send({ type: 'subRun.reopened', name: 'a', attempt: 1 }), true);
  assert.equal(
    [all.marks, all.row('a').status, all.row('b').status, all.row('b').reason],
    ['bpd', 'dispatched', 'pending', null],
  );
  all.ended('a');
  assert.is(all.marks, 'cdd');
});

test('reopened while the cap is full: a person does not wait for room, but nothing new begins until there is some (SUB-2)', () => {
  const all = dispatching(['a', 'b', 'c', 'd'], 1, 'continue');
  all.prepared('a');
  all.ended('a', 'failed');
  assert.is(all.marks, 'fdrr');
  all.send({ type: 'subRun.reopened', name: 'a', attempt: 1 });
  assert.equal([all.marks, all.asked], ['bdrr', []], 'two are under way, one more than the cap');
  all.ended('b');
  assert.equal([all.marks, all.asked], ['bcrr', []], 'the cap is full again');
  all.ended('a');
  assert.equal([all.marks, all.asked], ['ccdr', ['subRun.dispatch c']]);
  all.command('rerun', 'a');
  assert.equal([all.marks, all.asked], ['rcdr', []], 'a rerun waits for room');
});

test('a sub-run with a job is asked to stop, and ends as its job does (SUB-6)', () => {
  const all = dispatching(['a', 'b'], 2);
  all.prepared('a');
  all.prepared('b');
  all.command('cancel', 'a', { reason: 'wrong' });
  assert.equal(
    [all.marks, all.asked, all.row('a').status],
    ['xb', ['subRun.stop a'], 'dispatched'],
  );
  all.command('skip', 'b');
  assert.equal([all.marks, all.asked], ['xk', ['subRun.stop b']]);
  assert.equal(
    [all.command('skip', 'a'), all.command('rerun', 'b')],
    [false, false],
    'they are being stopped already',
  );
  all.ended('b', 'cancelled', 'skipped by developer');
  assert.equal(
    [all.marks, all.row('b').status, all.row('b').reason],
    ['xs', 'skipped', 'skipped by developer'],
  );
  all.ended('a');
  assert.equal([all.marks, all.row('a').reason], ['cs', null], 'it got done first');
});

test('stopped before it has a job, it has ended, and gets none', () => {
  const all = dispatching(['a', 'b'], 2);
  all.command('skip', 'a');
  assert.equal([all.marks, all.asked, all.row('a').status], ['sd', [], 'skipped']);
  assert.equal([all.prepared('a'), all.row('a').job_id], [false, null]);
});

test('a job that cannot be made, or whose making was given up, fails its sub-run with the reason', () => {
  const all = dispatching(['a', 'b'], 2, 'continue');
  all.send({ type: 'subRun.unprepared', name: 'a', attempt: 1, message: 'there is no workflow x' });
  const params = { parentJobId: PARENT, name: 'b', attempt: 1 };
  all.send(
    subRunsChart.givenUp({
      effectId: 'e',
      type: 'subRun.dispatch',
      params,
      attempts: 4,
      error: 'disk full',
      why: 'port-failed',
    }),
  );
  assert.equal(
    [all.at, all.marks, all.row('a').reason, all.row('b').reason],
    ['settled', 'ff', 'there is no workflow x', 'disk full'],
  );
});

test.run();
