import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeEndedPrs, endedWorkText } from '../../../src/base/jobs/describeEndedPrs.ts';

const test = suite('what has become of the pull requests of a job that is over');

const open = (...numbers: number[]) => numbers.map((number) => `local:shop#${number}`);

for (const [openPrs, mergedPrs, closedPrs, expected] of [
  [[], 0, 0, null],
  [[], 2, 1, null],
  [open(2), 1, 0, '1 pull request still open (local:shop#2)'],
  [open(2), 0, 0, '1 pull request still open (local:shop#2)'],
  [[], 0, 1, 'its pull request was not merged'],
  [[], 0, 2, 'none of its 2 pull requests was merged'],
  [
    open(1, 2, 3, 4, 5),
    0,
    1,
    '5 pull requests still open (local:shop#1, local:shop#2, local:shop#3, 2 more), none of its 6 pull requests was merged',
  ],
] as const) {
  test(`${openPrs.length} open, ${mergedPrs} merged, ${closedPrs} closed: ${expected}`, () => {
    assert.is(describeEndedPrs({ openPrs, mergedPrs, closedPrs }), expected);
  });
}

test('in a cell, open ones are counted and not named', () => {
  const prs = { openPrs: open(1), mergedPrs: 0, closedPrs: 0 };
  assert.is(describeEndedPrs(prs, false), '1 pull request still open');
});

test('a complete job without a pull request changed nothing', () => {
  const prs = { openPrs: [], mergedPrs: 0, closedPrs: 0 };
  assert.is(endedWorkText({ ...prs, unchanged: true }), 'no changes');
  assert.is(endedWorkText(prs), null);
});

test.run();
