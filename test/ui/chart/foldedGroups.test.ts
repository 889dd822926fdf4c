import { createMachine } from 'xstate';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobChart } from '../../../machines/index.ts';
import { buildMachineView } from '../../../src/jobs/questions/buildMachineView.ts';
import { findDrawnBox, findFoldedGroups, listGroups } from '../../../ui/chart/foldedGroups.ts';
import {
  buildMachineGraph,
  flattenStates,
  isCrowded,
} from '../../../ui/chart/picture/buildMachineGraph.ts';
import { flattenNodes } from '../../../ui/chart/picture/graph.ts';
import { toXStateConfig } from '../../../ui/chart/picture/renderXStateModule.ts';
import { arrow, group, leaf } from '../../support/charts/chartNodes.ts';

const test = suite('ui chart: folded groups');

const CHART = group('', 'a', [
  leaf('a', [arrow('a#0', 'go', ['b.x'])]),
  group('b', 'b.x', [
    leaf('b.x', [arrow('b.x#0', 'next', ['b.y'])]),
    leaf('b.y', [arrow('b.y#0', 'back', ['a']), arrow('b.y#1', 'again', ['a'])]),
  ]),
]);
const JOB = buildMachineView(jobChart).definition;

test('a folded group is one box; what leads in keeps its text, what leads out is one line (UI-3)', () => {
  const { nodes, edges } = buildMachineGraph(CHART, {
    allEffects: false,
    bundled: false,
    folded: new Set(['b']),
  });
  assert.equal(
    flattenNodes(nodes).map(({ kind, id, tags }) => [kind, id, ...tags]),
    [
      ['start', '//start'],
      ['state', 'a'],
      ['group', 'b', '2 states'],
    ],
  );
  assert.equal(
    edges.map(({ id, ways, bundle }) => [id, ways.map((way) => way.arrow), bundle]),
    [
      ['//start->a', [], []],
      ['a->b', ['a#0'], []],
      ['b=>a', [], ['b.y#0', 'b.y#1']],
    ],
  );
});

test('a large chart is folded at first, but for the group of the current state; a choice overrules it (UI-3)', () => {
  const groups = listGroups(JOB);
  assert.ok(groups.includes('working') && groups.includes('parked'));
  assert.equal(findFoldedGroups(JOB, new Map(), []), new Set(groups));
  const open = findFoldedGroups(JOB, new Map(), ['parked.approval']);
  assert.not.ok(open.has('parked'));
  assert.ok(open.has('working'));
  assert.ok(findFoldedGroups(JOB, new Map([['parked', true]]), ['parked.approval']).has('parked'));
  assert.equal(findFoldedGroups(CHART, new Map(), []), new Set());
});

test('in brief a chart is its states and lines; what arrows say is left out (UI-3)', () => {
  const { edges } = buildMachineGraph(CHART, { allEffects: false, bundled: false, brief: true });
  assert.equal(
    edges.map(({ id, ways }) => [id, ways.length]),
    [
      ['//start->a', 0],
      ['a->b.x', 0],
      ['b//start->b.x', 0],
      ['b.x->b.y', 0],
      ['b.y->a', 0],
    ],
  );
  assert.ok(isCrowded(JOB));
  assert.not.ok(isCrowded(CHART));
});

test('a state in a folded group is drawn in the box of the group (UI-3)', () => {
  assert.is(findDrawnBox(CHART, new Set(['b']), 'b.x'), 'b');
  assert.is(findDrawnBox(CHART, new Set(), 'b.x'), 'b.x');
});

test('a chart with groups is exported as a machine of XState with the same states and targets (UI-3)', () => {
  const machine = createMachine(toXStateConfig('job', JOB));
  const nodes = flattenStates(JOB).filter(({ path }) => path !== '');
  for (const { path, arrows } of nodes) {
    const node = machine.getStateNodeById(`job.${path}`);
    const targets = [...node.transitions.values()]
      .flat()
      .concat(node.always ?? [])
      .flatMap(({ target }) => target?.map(({ id }) => id) ?? []);
    assert.equal(
      new Set(targets),
      new Set(arrows.flatMap((one) => one.targets.map((to) => (to === '' ? 'job' : `job.${to}`)))),
      path,
    );
  }
});

test.run();
