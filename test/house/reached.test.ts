import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createImportGraph } from '../support/importGraph.ts';
import { selectReached } from '../support/selectReached.ts';

const test = suite('house: the tests that a change reaches');

const graph = createImportGraph(
  new Map([
    ['src/jira/client.ts', "import { ask } from '../base/ask.ts';"],
    ['src/base/ask.ts', ''],
    ['src/linear.ts', "import type { Ask } from './base/ask.ts';"],
    ['test/support/pages.ts', "export const folder = join(root, 'docs', 'guides');"],
    ['test/jira.test.ts', "import { client } from '../src/jira/client.ts';"],
    ['test/linear.test.ts', "import { linear } from '../src/linear.ts';"],
    ['test/docs.test.ts', "import { folder } from './support/pages.ts';"],
  ]),
);
const TESTS = ['test/jira.test.ts', 'test/linear.test.ts', 'test/docs.test.ts'];
const select = (...changed: string[]) => selectReached(graph, TESTS, changed);

test('a change of a file reaches the tests that import it, directly or not', () => {
  assert.equal(select('src/base/ask.ts'), ['test/jira.test.ts']);
  assert.equal(select('src/linear.ts'), ['test/linear.test.ts']);
});

test('a test that has changed is reached by itself', () => {
  assert.equal(select('test/jira.test.ts'), ['test/jira.test.ts']);
});

test('a page or a fixture reaches the tests that name it or its folder', () => {
  assert.equal(select('docs/guides/jira.md'), ['test/docs.test.ts']);
  assert.equal(select('templates/action.yml'), []);
});

test('a change of the packages reaches all tests', () => {
  assert.equal(select('package-lock.json'), TESTS);
});

test.run();
