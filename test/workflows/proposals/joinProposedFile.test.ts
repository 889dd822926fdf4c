import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { joinProposedFile } from '../../../src/workflows/proposals/joinProposedFile.ts';

const test = suite('proposals: joined with what has changed since');

const lines = (...all: string[]): string => `${all.join('\n')}\n`;
const BASE = lines('one', 'two', 'three', 'four', 'five');
const FIRST = lines('ONE', 'two', 'three', 'four', 'five');
const LAST = lines('one', 'two', 'three', 'four', 'FIVE');

test('what has not changed since is written as proposed', () => {
  assert.equal(joinProposedFile({ base: BASE, text: FIRST }, BASE), {
    merged: FIRST,
    conflicts: [],
  });
});

test('changes in different places both count', () => {
  assert.equal(joinProposedFile({ base: BASE, text: FIRST }, LAST), {
    merged: lines('ONE', 'two', 'three', 'four', 'FIVE'),
    conflicts: [],
  });
});

test('the same change twice is one', () => {
  assert.equal(joinProposedFile({ base: BASE, text: FIRST }, FIRST), {
    merged: FIRST,
    conflicts: [],
  });
});

test('a conflict names the line and all three texts', () => {
  const other = lines('1', 'two', 'three', 'four', 'five');
  assert.equal(joinProposedFile({ base: BASE, text: FIRST }, other), {
    merged: null,
    conflicts: [{ line: 1, base: 'one', proposed: 'ONE', current: '1' }],
  });
});

test('a file that was removed meanwhile is a conflict', () => {
  const { merged, conflicts } = joinProposedFile({ base: BASE, text: FIRST }, null);
  assert.equal([merged, conflicts.length], [null, 1]);
});

test('a file that was created meanwhile is a conflict', () => {
  assert.is(joinProposedFile({ base: null, text: FIRST }, BASE).conflicts.length, 1);
});

test('a file to be removed that has changed is a conflict', () => {
  assert.is(joinProposedFile({ base: BASE, text: null }, LAST).conflicts.length, 1);
});

test('a file to be removed that is gone already is no conflict', () => {
  assert.equal(joinProposedFile({ base: BASE, text: null }, null), { merged: null, conflicts: [] });
});

test.run();
