import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  findCurrentWorkItem,
  replaceWorkItems,
  countWorkItemLoop,
  addPrToWorkItem,
  applyWorkItemUpdate,
  findWorkItemProblems,
} from '../../../../machines/job/rules/workItems.ts';
import { item } from '../../../support/charts/jobSteps.ts';

const test = suite('work items');

test('the current one is the one in progress (JOB-4)', () => {
  assert.equal(findCurrentWorkItem({ workItems: [item('a'), item('b', 'in-progress')] })?.id, 'b');
  assert.is(findCurrentWorkItem({ workItems: [item('a', 'complete')] }), undefined);
});

test('a list is refused with the reason: ids twice, two in progress, too many, too large (JOB-4)', () => {
  const long = Array.from({ length: 50 }, (_, n) => ({ ...item(`i${n}`), title: 'x'.repeat(200) }));
  assert.equal(findWorkItemProblems([item('a'), item('b', 'in-progress')]), []);
  assert.equal(
    findWorkItemProblems([
      item('a'),
      item('a'),
      item('b', 'in-progress'),
      item('c', 'in-progress'),
    ]),
    [
      'work item ids must be unique; duplicates: a',
      'at most one work item may be in-progress, not 2 (b, c)',
    ],
  );
  assert.match(
    findWorkItemProblems(Array.from({ length: 101 }, (_, n) => item(`${n}`)))[0] ?? '',
    'at most 100 work items, not 101',
  );
  assert.match(findWorkItemProblems(long)[0] ?? '', /takes \d+ bytes of at most 10240/u);
  assert.match(
    findWorkItemProblems([{ ...item('a'), prIds: Array(21).fill('x') }])[0] ?? '',
    'at most 20 pull requests; more have a',
  );
});

test('a new list keeps the loop count of items that stay, which the agent cannot set (JOB-4)', () => {
  const old = [{ ...item('a', 'in-progress'), loopCount: 3, prIds: ['p1'] }];
  assert.equal(replaceWorkItems(old, [item('a', 'complete'), { ...item('b'), loopCount: 9 }]), [
    { ...item('a', 'complete'), loopCount: 3, prIds: ['p1'] },
    item('b'),
  ]);
});

test('changes leave the other items alone', () => {
  const items = [item('a'), item('b')];
  assert.equal(applyWorkItemUpdate(items, { id: 'b', status: 'complete' }), [
    item('a'),
    item('b', 'complete'),
  ]);
  assert.equal(countWorkItemLoop(items, 'a'), [{ ...item('a'), loopCount: 1 }, item('b')]);
  assert.equal(addPrToWorkItem(addPrToWorkItem(items, 'a', 'p'), 'a', 'p'), [
    { ...item('a'), prIds: ['p'] },
    item('b'),
  ]);
  assert.equal(addPrToWorkItem(items, undefined, 'p'), items);
});

test.run();
