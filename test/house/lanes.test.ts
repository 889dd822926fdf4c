import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findLongPart } from '../support/longLane.ts';
import { type Lane, selectTests } from '../support/selectTests.ts';

const test = suite('house: the long lane');

const ALL = {
  'test/a/one.test.ts': 'some',
  'test/a/more.long.test.ts': 'all',
  'test/b/two.test.ts': 'none',
} as const;
const select = (words: string[], lane: Lane = 'default', reached: string[] = []) => {
  const fileAt = (word: string) => (word === './x.ts' ? 'x.ts' : undefined);
  const { whole, ...selected } = selectTests(ALL, words, { lane, reached, fileAt });
  return { ...selected, whole: [...whole] };
};

test('a file is of the long lane by its name; some of its tests are by how they are registered', () => {
  assert.is(findLongPart('test/a/more.long.test.ts', ''), 'all');
  assert.is(findLongPart('test/a/one.test.ts', 'const long = longLane(test);'), 'some');
  assert.is(findLongPart('test/b/two.test.ts', 'test();'), 'none');
});

test('without a word, all run but the long lane, and in how many files it was left out is known', () => {
  assert.equal(select([]), {
    files: ['test/a/one.test.ts', 'test/b/two.test.ts'],
    unmatched: [],
    left: 2,
    whole: [],
    after: [],
  });
});

test('where the long lane is asked for, files without tests of it do not run', () => {
  assert.equal(select([], 'long'), {
    files: ['test/a/one.test.ts', 'test/a/more.long.test.ts'],
    unmatched: [],
    left: 0,
    whole: ['test/a/one.test.ts', 'test/a/more.long.test.ts'],
    after: [],
  });
});

test('a word selects all tests of its files, or of the long lane alone', () => {
  assert.equal(select(['test/']).files, Object.keys(ALL));
  assert.equal(select(['test/']).whole, Object.keys(ALL));
  assert.equal(select(['test/'], 'long').files, ['test/a/one.test.ts', 'test/a/more.long.test.ts']);
});

test('with `short`, the files that a word selects run as the default lane takes them', () => {
  const short = { lane: 'default' as const, short: true, fileAt: () => undefined };
  assert.equal(selectTests(ALL, ['test/a'], short), {
    files: ['test/a/one.test.ts'],
    whole: new Set(),
    after: [],
    unmatched: [],
    left: 2,
  });
});

test('a word that selects none is named', () => {
  assert.equal(select(['two'], 'long').unmatched, ['two']);
});

test('all tests run by one command', () => {
  assert.equal(select([], 'all').files, Object.keys(ALL));
  assert.equal(select([], 'all').whole, Object.keys(ALL));
});

test('what a change reaches runs whole', () => {
  const reached = ['test/a/more.long.test.ts', 'test/b/two.test.ts'];
  assert.equal(select([], 'none', reached).files, reached);
  assert.equal(select([], 'none', reached).whole, reached);
  assert.equal(select([], 'none').files, []);
  assert.equal(select([], 'none').unmatched, []);
});

test('after the default lane, what a change reaches of the long lane runs', () => {
  const reached = ['test/a/more.long.test.ts', 'test/b/two.test.ts'];
  const { files, after, left } = select([], 'default', reached);
  assert.equal(files, ['test/a/one.test.ts', 'test/b/two.test.ts']);
  assert.equal(after, ['test/a/more.long.test.ts']);
  assert.is(left, 1);
});

test('a path selects its file, whatever it is called', () => {
  assert.equal(select(['./x.ts']).files, ['x.ts']);
});

test('each file and folder of tests that a check of requests runs exists', () => {
  const root = join(import.meta.dirname, '..', '..');
  const folder = join(root, 'scripts/openapi');
  const paths = readdirSync(folder).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/'(test\/[^']+)'/g)].map(
      ([, path = '']) => path,
    ),
  );
  assert.ok(paths.length > 0);
  assert.equal(
    paths.filter((path) => !existsSync(join(root, path))),
    [],
  );
});

test.run();
