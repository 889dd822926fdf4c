import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { selectTests } from '../support/selectTests.ts';

const test = suite('house: the long lane');

const ALL = ['test/a/one.test.ts', 'test/a/one.long.test.ts', 'test/b/two.test.ts'];
const select = (words: string[], long = false) =>
  selectTests(ALL, words, { long, fileAt: (word) => (word === './x.ts' ? 'x.ts' : undefined) });

test('without a word, all run but the long lane, and how many are left is known', () => {
  assert.equal(select([]), {
    files: ['test/a/one.test.ts', 'test/b/two.test.ts'],
    unmatched: [],
    left: 1,
  });
});

test('the long lane runs alone where it is asked for', () => {
  assert.equal(select([], true), { files: ['test/a/one.long.test.ts'], unmatched: [], left: 0 });
});

test('a word selects both lanes, or the long one alone', () => {
  assert.equal(select(['test/a']).files, ['test/a/one.test.ts', 'test/a/one.long.test.ts']);
  assert.equal(select(['test/a'], true).files, ['test/a/one.long.test.ts']);
});

test('a word that selects none is named', () => {
  assert.equal(select(['two'], true).unmatched, ['two']);
});

test('a path selects its file, whatever it is called', () => {
  assert.equal(select(['./x.ts']).files, ['x.ts']);
});

test.run();
