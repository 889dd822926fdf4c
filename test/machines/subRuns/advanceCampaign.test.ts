import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countStatuses, listEdges, type Graph, setMarks } from '../../../machines/subRuns/graph.ts';
import {
  advanceCampaign,
  findFailuresBefore,
  findRecalledSubRuns,
  type CampaignRules,
  findRevivedSubRuns,
} from '../../../machines/subRuns/advanceCampaign.ts';

const test = suite('ready set of sub-runs');

/** `a`, `b>a`, `c>a,b`: names and what they wait for; one letter each for how they stand. */
const createGraph = (nodes: readonly string[], marks: string): Graph => ({
  names: nodes.map((node) => node.split('>')[0] ?? ''),
  dependsOn: nodes.map((node) => node.split('>')[1]?.split(',') ?? []),
  marks,
  attempts: nodes.map(() => 1),
});

const rules = (more: Partial<CampaignRules> = {}): CampaignRules => ({
  cap: 9,
  policy: 'halt-on-failure',
  ...more,
});
const go: Partial<CampaignRules> = { policy: 'continue' };

const CHAIN = ['a', 'b>a', 'c>b'];
const FAN = ['a', 'b', 'c', 'd>a,b'];

const CASES: [
  what: string,
  nodes: readonly string[],
  marks: string,
  more: Partial<CampaignRules>,
  after: string,
][] = [
  ['what waits for nothing begins', FAN, 'pppp', {}, 'dddp'],
  [
    'as many as the cap lets; the others are ready, in the order of their registration',
    FAN,
    'pppp',
    { cap: 2 },
    'ddrp',
  ],
  ['what is being stopped still has a job', FAN, 'xkpp', { cap: 2 }, 'xkrp'],
  ['with none free nothing begins', FAN, 'dddp', { cap: 3 }, 'dddp'],
  ['more in progress than the cap, because people continued jobs', FAN, 'ddrp', { cap: 1 }, 'ddrp'],
  ['all that it waits for must be complete', FAN, 'cdcp', {}, 'cdcp'],
  ['complete, or skipped by a person', FAN, 'cscp', {}, 'cscd'],
  ['no longer ready when one that it waits for runs again', CHAIN, 'drp', { cap: 1 }, 'dpp'],
  ['continue: what waits for a failed one is skipped, through the chain', CHAIN, 'fpp', go, 'fuu'],
  ['continue: the same for one that escalated', CHAIN, 'epp', go, 'euu'],
  ['continue: what does not wait for it continues', FAN, 'fppp', go, 'fddu'],
  [
    'continue: what runs already continues, and what waits for that still may begin',
    CHAIN,
    'fdp',
    go,
    'fdp',
  ],
  ['halt: nothing more begins, and nothing is skipped', FAN, 'frpp', {}, 'frrp'],
  [
    'halt, a second round: an accepted failure halts nothing, what waits for it is skipped',
    ['a', 'b>a', 'c'],
    'Fpp',
    {},
    'Fud',
  ],
  ['halt: what runs continues', FAN, 'fdpp', {}, 'fdrp'],
  [
    'run again while one that it waits for is skipped as unreachable: skipped as well',
    CHAIN,
    'fup',
    go,
    'fuu',
  ],
  [
    'the same under halt-on-failure, when the failure was skipped by a person',
    CHAIN,
    'sup',
    {},
    'suu',
  ],
];

for (const [what, nodes, marks, more, after] of CASES) {
  test(`${what}: ${marks} → ${after} (SUB-2 SUB-4)`, () => {
    assert.is(advanceCampaign(createGraph(nodes, marks), rules(more)).graph.marks, after);
  });
}

test('each change is reported once, with a reason for what is skipped', () => {
  const { graph, ...changes } = advanceCampaign(
    createGraph(['a', 'b>a', 'c>b', 'd', 'e', 'f>a'], 'epppdu'),
    rules({ ...go, cap: 2 }),
  );
  assert.is(graph.marks, 'euuddu');
  assert.equal(changes, {
    dispatched: [3],
    ready: [],
    waiting: [],
    unreachable: [
      { n: 1, because: 'waits for a, which escalated' },
      { n: 2, because: 'waits for a, which escalated' },
    ],
    halted: false,
  });
});

test('a chain with a skipped one in it names the failure at its beginning', () => {
  assert.equal(advanceCampaign(createGraph(CHAIN, 'fup'), rules(go)).unreachable, [
    { n: 2, because: 'waits for a, which failed' },
  ]);
  assert.equal(advanceCampaign(createGraph(CHAIN, 'sup'), rules()).unreachable, [
    { n: 2, because: 'waits for b, which is skipped' },
  ]);
});

test('it is halted by an undecided failure, under halt-on-failure alone', () => {
  const halted = (marks: string, more: Partial<CampaignRules>) =>
    advanceCampaign(createGraph(FAN, marks), rules(more)).halted;
  assert.equal(halted('fppp', {}), true);
  assert.equal(halted('Fppp', {}), false);
  assert.equal(halted('fppp', go), false);
  assert.equal(halted('cppp', {}), false);
});

test('held: what could begin is ready and waits', () => {
  const { graph, dispatched, ready } = advanceCampaign(createGraph(FAN, 'pppp'), rules(), true);
  assert.equal(graph.marks, 'rrrp');
  assert.equal(dispatched, []);
  assert.equal(ready, [0, 1, 2]);
});

test('once more without anything happening changes nothing: the same graph comes back', () => {
  for (const [, nodes, , more, after] of CASES) {
    const graph = createGraph(nodes, after);
    assert.is(advanceCampaign(graph, rules(more)).graph, graph, after);
  }
});

test('a rerun revives what was skipped because of it, through the chain, and nothing else', () => {
  const nodes = ['a', 'b>a', 'c>b', 'd>a', 'e', 'f>e', 'g>c,f'];
  assert.equal(
    findRevivedSubRuns(createGraph(nodes, 'fuuseuu'), [0]),
    [1, 2, 6],
    'd was skipped by a person',
  );
  assert.equal(findRevivedSubRuns(createGraph(nodes, 'fuuseuu'), [4]), [5, 6]);
  assert.equal(findRevivedSubRuns(createGraph(nodes, 'ccccccc'), [0]), []);
});

test('what the dispatcher has skipped runs again together with the failures that it waits for, and no others', () => {
  const nodes = ['a', 'b>a', 'c>b', 'd', 'e>c,d'];
  assert.equal(findFailuresBefore(createGraph(nodes, 'fuufu'), 2), [0]);
  assert.equal(findFailuresBefore(createGraph(nodes, 'fuufu'), 4), [0, 3]);
  assert.equal(
    findFailuresBefore(createGraph(nodes, 'fuufu'), 0),
    [],
    'one that ran waits for none of them',
  );
});

test('a rerun recalls what was about to begin after it, but nothing that has a job', () => {
  assert.equal(
    findRecalledSubRuns(createGraph(['a', 'b>a', 'c>a', 'd>b', 'e'], 'cdbpd'), [0]),
    [1],
  );
});

test('names that do not exist are no edges; counts are by status', () => {
  assert.equal(listEdges(createGraph(['a>x', 'b>a,x'], 'pp')), [[], [0]]);
  assert.equal(
    countStatuses(createGraph(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'], 'prdxkcfesu')),
    {
      pending: 1,
      ready: 1,
      dispatched: 3,
      complete: 1,
      failed: 1,
      escalated: 1,
      skipped: 2,
    },
  );
  assert.is(setMarks(createGraph(CHAIN, 'ppp'), new Map([[1, 'c']])).marks, 'pcp');
});

test.run();
