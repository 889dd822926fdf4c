import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import Schema from 'typebox/schema';
import type { AnyStateNode } from 'xstate';
import { jobChart, subRunsChart } from '../../../machines/index.ts';
import {
  type ChartArrow,
  type ChartNode,
  Machine,
} from '../../../src/contract/schema/workflow/machine.ts';
import { buildMachineView } from '../../../src/jobs/questions/buildMachineView.ts';
import { listOpenArrows } from '../../../src/jobs/questions/listOpenArrows.ts';

const test = suite('runner: machines as data');

const CHARTS = [jobChart, subRunsChart];
const everyNode = (node: ChartNode): ChartNode[] => [node, ...node.states.flatMap(everyNode)];
const everyXstateNode = (node: AnyStateNode): AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(everyXstateNode),
];

test('every chart is data of the published shape, as JSON too (UI-3)', () => {
  const check = Schema.Compile(Machine);
  for (const chart of CHARTS) {
    const view = buildMachineView(chart);
    assert.ok(check.Check(view), JSON.stringify(check.Errors(view)));
    assert.equal(JSON.parse(JSON.stringify(view)), view);
  }
});

test('nothing of a chart is left out: every state, and every transition with event, guard, targets and actions', () => {
  for (const chart of CHARTS) {
    const nodes = everyNode(buildMachineView(chart).definition);
    const real = everyXstateNode(chart.machine.root);
    assert.equal(
      nodes.map(({ path }) => path),
      real.map(({ path }) => path.join('.')),
    );
    for (const [index, node] of real.entries()) {
      const transitions = [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
      assert.equal(
        nodes[index]?.arrows.map(({ event, targets, effects }) => [
          event,
          targets.length,
          effects.length,
        ]),
        transitions.map(({ eventType, target, actions }) => [
          eventType,
          target?.length ?? 0,
          actions.length,
        ]),
      );
    }
  }
});

test('ids of arrows are unique, every target and initial state exists, every guard has its sentence', () => {
  for (const chart of CHARTS) {
    const nodes = everyNode(buildMachineView(chart).definition);
    const paths = new Set(nodes.map(({ path }) => path));
    const arrows = nodes.flatMap((node) => node.arrows);
    assert.is(new Set(arrows.map(({ id }) => id)).size, arrows.length);
    for (const { id, targets, guard, event, from } of arrows) {
      assert.ok(
        targets.every((target) => paths.has(target)),
        id,
      );
      assert.ok(
        guard === null || (guard.says !== guard.name && guard.says.length > 10),
        `${id} ${guard?.name}`,
      );
      assert.is(from === null, event === '', id);
    }
    for (const { path, type, initial } of nodes)
      assert.is(type === 'compound', initial !== null && paths.has(initial), path);
  }
});

test('what asks the outside, what the commit does and what changes the context are distinguished', () => {
  const { definition } = buildMachineView(jobChart);
  const state = (path: string) => everyNode(definition).find((node) => node.path === path);
  assert.equal(state('working.inSession')?.entry, [
    { name: 'giveWarnings', kind: 'inside' },
    { name: 'beginSession', kind: 'inside' },
    { name: 'session.open', kind: 'outside' },
    { name: 'row.patch', kind: 'commit' },
  ]);
  assert.equal(state('working')?.tags, ['slot']);
  assert.is(state('')?.initial, 'queued');
  assert.is(state('parked.paused')?.waits[0], 'for you to resume it, or to send a message');
});

test('versions are listed from the first, each with what it brought', () => {
  const { version, versions } = buildMachineView(jobChart);
  assert.equal(
    versions.map((one) => one.version),
    Array.from({ length: version }, (_, index) => index + 1),
  );
  assert.ok(versions.every(({ says }) => says.length > 5));
});

const way = (event: string, target: string | null, open: boolean | 'depends', guard?: string) => ({
  event,
  from: 'a developer',
  target,
  open,
  guards: guard === undefined ? [] : [{ name: guard, says: guard, value: open }],
});

test('transitions are found again as arrows: the innermost that looks so, closed ones left out', () => {
  const { definition } = buildMachineView(jobChart);
  const findArrow = (id: string): ChartArrow | undefined =>
    everyNode(definition)
      .flatMap((node) => node.arrows)
      .find((one) => one.id === id);
  const open = listOpenArrows(
    definition,
    ['parked.paused'],
    [
      way('job.resume', 'queued', true),
      way('job.resume', 'parked.event', false, 'pausedWhileAwaiting'),
      way('job.cancel', 'ended.cancelled', true),
      way('job.rerun', 'queued', 'depends', 'rerunFits'),
      way('never.heard', null, true),
    ],
  );
  assert.equal(
    open.map(({ arrow, open: is }) => [arrow.split('#')[0], findArrow(arrow)?.event, is]),
    [
      ['parked.paused', 'job.resume', true],
      ['parked', 'job.cancel', true],
      ['parked', 'job.rerun', 'depends'],
    ],
  );
});

test.run();
