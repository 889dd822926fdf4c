import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { longPartOf } from '../support/longLane.ts';
import { selectTests } from '../support/selectTests.ts';

const test = suite('house: the long lane');

const ALL = {
  'test/a/one.test.ts': 'some',
  'test/a/more.long.test.ts': 'all',
  'test/b/two.test.ts': 'none',
} as const;
const select = (words: string[], long = false) =>
  selectTests(ALL, words, { long, fileAt: (word) => (word === './x.ts' ? 'x.ts' : undefined) });

test('a file is of the long lane by its name; some of its tests are by how they are registered', () => {
  assert.is(longPartOf('test/a/more.long.test.ts', ''), 'all');
  assert.is(longPartOf('test/a/one.test.ts', 'const long = longLane(test);'), 'some');
  assert.is(longPartOf('test/b/two.test.ts', 'test();'), 'none');
});

test('without a word, all run but the long lane, and in how many files it was left out is known', () => {
  assert.equal(select([]), {
    files: ['test/a/one.test.ts', 'test/b/two.test.ts'],
    unmatched: [],
    long: false,
    left: 2,
  });
});

test('where the long lane is asked for, files without tests of it do not run', () => {
  assert.equal(select([], true), {
    files: ['test/a/one.test.ts', 'test/a/more.long.test.ts'],
    unmatched: [],
    long: true,
    left: 0,
  });
});

test('a word selects all tests of its files, or of the long lane alone', () => {
  assert.equal(select(['test/']).files, Object.keys(ALL));
  assert.is(select(['test/']).long, true);
  assert.equal(select(['test/'], true).files, ['test/a/one.test.ts', 'test/a/more.long.test.ts']);
});

test('a word that selects none is named', () => {
  assert.equal(select(['two'], true).unmatched, ['two']);
});

test('a path selects its file, whatever it is called', () => {
  assert.equal(select(['./x.ts']).files, ['x.ts']);
});

test.run();
