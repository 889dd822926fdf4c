import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  listBlockingItems,
  decideCompletion,
  buildCorrectivePrompt,
  describeGateFailure,
  describeGateBlock,
} from '../../../../machines/job/rules/completionGate.ts';
import { MAX_PROMPT_CHARS } from '../../../../src/base/limits/jobLimits.ts';
import { item, pr } from '../../../support/charts/jobSteps.ts';

const test = suite('completion gate');

test('passes without work items and with closed ones, blocks otherwise, fails with the last block (JOB-7)', () => {
  const open = [item('a', 'complete'), item('b')];
  assert.equal(decideCompletion([], 4, 5), 'passed');
  assert.equal(decideCompletion([item('a', 'complete'), item('b', 'escalated')], 4, 5), 'passed');
  assert.equal(decideCompletion(open, 0, 5), 'blocked');
  assert.equal(decideCompletion(open, 3, 5), 'blocked');
  assert.equal(decideCompletion(open, 4, 5), 'failed');
  assert.equal(decideCompletion([item('a', 'in-progress')], 0, 1), 'failed');
  assert.equal(
    listBlockingItems([...open, item('c', 'in-progress')]).map(({ id }) => id),
    ['b', 'c'],
  );
});

test('names each blocking item with its open and merged pull requests apart (JOB-7)', () => {
  const items = [
    { ...item('a', 'in-progress'), prIds: ['local:shop#1'] },
    item('b'),
    item('c', 'complete'),
  ];
  const prs = [pr(1), pr(2, { state: 'merged', workItem: 'a' }), pr(3, { workItem: 'c' })];
  assert.equal(buildCorrectivePrompt(items, prs, 2, 5).split('\n').slice(0, 3), [
    '[completion-gate] The job cannot complete yet: 2 work item(s) are not closed (block 2 of 5; the last one fails the job).',
    '- a (in-progress): Do a; open pull requests: local:shop#1; merged: local:shop#2',
    '- b (pending): Do b; open pull requests: none; merged: none',
  ]);
  assert.is(
    describeGateBlock(items, 2, 5),
    'blocked 2 of 5: not closed: a (in-progress), b (pending)',
  );
  assert.is(
    describeGateFailure(items, 5),
    'completion gate: 5 blocks in a row; work items not closed: a (in-progress), b (pending)',
  );
});

test('the prompt is bounded however many items there are', () => {
  const many = Array.from({ length: 100 }, (_, n) => ({
    ...item(`item-${n}`),
    title: 'x'.repeat(200),
  }));
  assert.is(buildCorrectivePrompt(many, [], 1, 5).length, MAX_PROMPT_CHARS);
});

test.run();
