import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  findCommandProblem,
  findSpecProblem,
} from '../../../machines/subRuns/findCommandProblem.ts';
import { MAX_SUB_RUNS } from '../../../src/base/limits/jobLimits.ts';
import { findCriticalPath } from '../../../machines/subRuns/findCriticalPath.ts';
import {
  findGraphProblems,
  findStrandingSubRuns,
} from '../../../machines/subRuns/findGraphProblems.ts';
import type { SubRunsContext } from '../../../machines/subRuns/subRunsContext.ts';

const test = suite('graph of sub-runs');

/** `a`, `b>a`, `c>a,b`: names and what they wait for. */
const createGraph = (nodes: readonly string[]) => ({
  names: nodes.map((node) => node.split('>')[0] ?? ''),
  dependsOn: nodes.map((node) => node.split('>')[1]?.split(',') ?? []),
});

const PROBLEMS: [what: string, nodes: readonly string[], problems: string[]][] = [
  ['a graph without a cycle', ['a', 'b>a', 'c>a,b'], []],
  ['what one waits for may be registered later', ['b>a', 'a'], []],
  ['nothing', [], ['no sub-run is registered']],
  ['one that waits for itself', ['a>a'], ['there is a cycle: a -> a']],
  [
    'a cycle is named in the order in which they wait',
    ['a>b', 'b>c', 'c>a'],
    ['there is a cycle: a -> b -> c -> a'],
  ],
  [
    'in a knot, the shortest one through each that no other has named',
    ['a>b,c', 'b>a', 'c>b'],
    ['there is a cycle: a -> b -> a', 'there is a cycle: c -> b -> a -> c'],
  ],
  [
    'what only waits for a cycle is not in it',
    ['z>a', 'a>b', 'b>a'],
    ['there is a cycle: a -> b -> a'],
  ],
  [
    'all at once: unknown names and every cycle',
    ['a>x,y', 'b>c', 'c>b', 'd>d'],
    [
      'a depends on x, y, which is not registered',
      'there is a cycle: b -> c -> b',
      'there is a cycle: d -> d',
    ],
  ],
];

for (const [what, nodes, problems] of PROBLEMS) {
  test(`${what}: ${nodes.join(' ') || '(none)'} (SUB-1)`, () =>
    assert.equal(findGraphProblems(createGraph(nodes)), problems));
}

test('a thousand in a row have no problem, and one edge back makes one cycle of all of them', () => {
  const row = Array.from({ length: MAX_SUB_RUNS }, (_, n) => (n === 0 ? 'n0' : `n${n}>n${n - 1}`));
  assert.equal(findGraphProblems(createGraph(row)), []);
  const [problem, ...more] = findGraphProblems(
    createGraph([`n0>n${MAX_SUB_RUNS - 1}`, ...row.slice(1)]),
  );
  assert.is(problem?.split(' -> ').length, MAX_SUB_RUNS + 1);
  assert.equal(more, []);
});

test('what a failure would keep from beginning is said for each that others wait for, through the chain', () => {
  assert.equal(findStrandingSubRuns(createGraph(['a', 'b>a', 'c>b', 'd', 'e>d,a'])), [
    { name: 'a', strands: ['b', 'c', 'e'] },
    { name: 'b', strands: ['c'] },
    { name: 'd', strands: ['e'] },
  ]);
  assert.equal(findStrandingSubRuns(createGraph(['a', 'b'])), []);
});

const PATHS: [what: string, nodes: readonly string[], durations: number[], path: string[]][] = [
  ['the longest in time, not in steps', ['a', 'b>a', 'c>b', 'd>a'], [1, 1, 1, 9], ['a', 'd']],
  ['one that waits for nothing may be the longest', ['a', 'b>a', 'c'], [1, 1, 5], ['c']],
  ['through the slower of two', ['a', 'b', 'c>a,b'], [2, 3, 1], ['b', 'c']],
  ['what hangs on a cycle is left out', ['a', 'b>a', 'x>y', 'y>x'], [1, 1, 1, 1], ['a', 'b']],
  ['nothing', [], [], []],
];

for (const [what, nodes, durations, path] of PATHS) {
  test(`critical path: ${what}`, () =>
    assert.equal(findCriticalPath(createGraph(nodes), durations), path));
}

test('the critical path of ten thousand in a row is all of them: no call stack overflows', () => {
  const row = Array.from({ length: 10_000 }, (_, n) => (n === 0 ? 'n0' : `n${n}>n${n - 1}`));
  assert.is(
    findCriticalPath(
      createGraph(row.toReversed()),
      row.map(() => 1),
    ).length,
    10_000,
  );
});

const createContext = (nodes: readonly string[], marks: string): SubRunsContext => ({
  parentJobId: 'p',
  cap: 1,
  policy: 'continue',
  agentReruns: [],
  createdAt: 0,
  graph: { ...createGraph(nodes), marks, attempts: nodes.map(() => 1) },
});

const STANDS = ['p', 'r', 'd', 'x', 'k', 'c', 'f', 'e', 's', 'u'];
const COMMANDS: [type: 'subRuns.skip' | 'subRuns.cancel' | 'subRuns.rerun', fits: string][] = [
  ['subRuns.skip', 'prdfeu'],
  ['subRuns.cancel', 'prd'],
  ['subRuns.rerun', 'cfesu'],
];

for (const [type, fits] of COMMANDS) {
  test(`${type} fits exactly ${fits} (SUB-6)`, () => {
    const marks = STANDS.filter(
      (mark) => findCommandProblem(createContext(['a'], mark), { type, name: 'a' }) === null,
    );
    assert.is(marks.join(''), fits);
  });
}

test('why a command does not fit is said in words', () => {
  const explainRefusal = (
    type: 'subRuns.skip' | 'subRuns.cancel' | 'subRuns.rerun',
    mark: string,
    name = 'a',
  ) => findCommandProblem(createContext(['a', 'b'], `${mark}p`), { type, name });
  assert.equal(explainRefusal('subRuns.skip', 'c'), 'a is complete: nothing waits for it any more');
  assert.equal(
    explainRefusal('subRuns.rerun', 'd'),
    'a is dispatched; only a sub-run that has ended can be run again',
  );
  assert.equal(explainRefusal('subRuns.cancel', 'f'), 'a has ended already (failed)');
  assert.equal(explainRefusal('subRuns.skip', 'x'), 'a is being stopped already');
  assert.equal(
    explainRefusal('subRuns.skip', 'p', 'z'),
    'there is no sub-run z; the sub-runs are a, b',
  );
});

test('a spec fits while it has not begun and there is room', () => {
  const spec = (name: string, dependsOn: string[] = []) => ({ name, description: 'd', dependsOn });
  assert.is(
    findSpecProblem(createContext(['a'], 'p'), spec('a')),
    null,
    'a pending one is replaced',
  );
  assert.match(
    String(findSpecProblem(createContext(['a'], 'c'), spec('a'))),
    /^a is complete and keeps what it was registered with/,
  );
  const full = Array.from({ length: MAX_SUB_RUNS }, (_, n) => `n${n}`);
  assert.match(
    String(findSpecProblem(createContext(full, 'p'.repeat(MAX_SUB_RUNS)), spec('a'))),
    /^there are 1000 sub-runs already/,
  );
  assert.is(findSpecProblem(createContext(full, 'p'.repeat(MAX_SUB_RUNS)), spec('n7')), null);
  const long = Array.from({ length: 740 }, (_, n) => `${'x'.repeat(58)}${1000 + n}`);
  assert.match(
    String(findSpecProblem(createContext(long, 'p'.repeat(740)), spec('y'.repeat(64)))),
    /would take \d+ bytes of at most 48000/,
  );
});

test.run();
