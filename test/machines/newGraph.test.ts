import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readMark, createGraph, toSubRunStatus } from '../../machines/index.ts';

const test = suite('a new graph of sub-runs');

const specs = [{ name: 'a' }, { name: 'b', dependsOn: ['a'] }];

test('has the names in their order', () => {
  assert.equal(createGraph(specs).names, ['a', 'b']);
});

test('has an empty list where a spec depends on nothing', () => {
  assert.equal(createGraph(specs).dependsOn, [[], ['a']]);
});

test('begins with every sub-run pending', () => {
  const graph = createGraph(specs);
  assert.equal(
    specs.map((_, n) => toSubRunStatus(readMark(graph, n))),
    ['pending', 'pending'],
  );
});

test('counts the first attempt of each', () => {
  assert.equal(createGraph(specs).attempts, [1, 1]);
});

test.run();
