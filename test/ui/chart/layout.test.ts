import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobChart, subRunsChart } from '../../../machines/index.ts';
import { buildMachineView } from '../../../src/jobs/questions/buildMachineView.ts';
import type { ChartNode } from '../../../src/contract/schema/workflow/machine.ts';
import { parseWorkflow } from '../../../src/workflows/definition/parseWorkflow.ts';
import { buildWorkflowChart } from '../../../src/workflows/definition/buildWorkflowChart.ts';
import { buildCampaignGraph } from '../../../ui/campaign/buildCampaignGraph.ts';
import { flattenStates, buildMachineGraph } from '../../../ui/chart/picture/buildMachineGraph.ts';
import { arrow, group, leaf } from '../../support/charts/chartNodes.ts';
import { drawGraph, unreadable } from '../../support/browser/drawingChecks.ts';

const test = suite('ui chart: layout');

const workflow = (name: string): ChartNode => {
  const path = `intelligence/workflows/${name}.md`;
  const { table } = parseWorkflow(readFileSync(path, 'utf8'), path);
  assert.ok(table);
  return buildWorkflowChart(table, ({ name: phase }) =>
    phase === 'evaluation' ? ['coding', 'planning'] : [],
  );
};

/** A workflow of 60 phases with ways back from every fifth. */
const SIXTY = group(
  '',
  'p0',
  Array.from({ length: 60 }, (_, n) =>
    leaf(`p${n}`, [
      ...(n < 59 ? [arrow(`p${n}#0`, 'session.ended', [`p${n + 1}`])] : []),
      ...(n % 5 === 4
        ? [arrow(`p${n}#1`, 'tool.goto_phase', [`p${n - 4}`], { guard: 'again' })]
        : []),
    ]),
  ),
);

const TWO_REGIONS: ChartNode = {
  ...group('', null, [
    group('left', 'left.on', [
      leaf('left.on', [arrow('left.on#0', 'off', ['left.off'])]),
      leaf('left.off'),
    ]),
    group('right', 'right.a', [
      leaf('right.a', [arrow('right.a#0', 'b', ['right.b'], { guard: 'may' })]),
      leaf('right.b'),
    ]),
  ]),
  type: 'parallel',
};

const CHARTS: readonly (readonly [name: string, root: ChartNode])[] = [
  ['job', buildMachineView(jobChart).definition],
  ['subRuns', buildMachineView(subRunsChart).definition],
  ['workflow job', workflow('job')],
  ['workflow campaign', workflow('campaign')],
  ['60 phases', SIXTY],
  ['two regions', TWO_REGIONS],
];

for (const [name, root] of CHARTS) {
  for (const [allEffects, bundled] of [
    [false, true],
    [true, false],
  ] as const) {
    const how = bundled ? 'bundled' : 'every line and every effect';
    test(`${name} (${how}): no texts overlap, no line crosses a text of another, each box lies in its own (UI-3)`, async () => {
      const picture = await drawGraph(buildMachineGraph(root, { allEffects, bundled }));
      assert.ok(picture.boxes.length > 3);
      assert.equal(unreadable(picture), []);
    });
  }
  test(`${name}: every arrow that leads away is drawn, whether on a line or within its state`, async () => {
    const away = flattenStates(root).flatMap(({ path, arrows }) =>
      arrows.filter(({ targets }) => targets.some((target) => target !== path)).map(({ id }) => id),
    );
    for (const bundled of [true, false]) {
      const { boxes, edges } = await drawGraph(
        buildMachineGraph(root, { allEffects: false, bundled }),
      );
      const drawnArrows = [
        ...boxes.flatMap(({ ways }) => ways),
        ...edges.flatMap(({ ways }) => ways),
      ].map((way) => way.arrow);
      assert.equal([...new Set(drawnArrows)].sort(), away.sort());
    }
  });
}

test('the check of these tests sees a text that lies on a box, and a line that runs through another text', async () => {
  const picture = await drawGraph(buildMachineGraph(SIXTY, { allEffects: false, bundled: false }));
  const [first, second] = picture.edges.filter(({ ways }) => ways.length > 0);
  const box = picture.boxes.find(({ node }) => node.id === 'p30');
  const way = first?.ways[0];
  assert.ok(way && box && second);
  Object.assign(way, { x: box.x, y: box.y });
  second.points = [
    { x: box.x + 5, y: box.y - 50 },
    { x: box.x + 5, y: box.y + 50 },
  ];
  const faults = unreadable(picture);
  assert.ok(faults.includes('a label of p0->p1 lies on p30'), faults.join());
  assert.ok(faults.includes('p1->p2 crosses a label of p0->p1'), faults.join());
});

test('what is declared first comes first: the initial state of every chart is its topmost', async () => {
  for (const [name, root] of CHARTS.filter(([, { type }]) => type === 'compound')) {
    const { boxes } = await drawGraph(
      buildMachineGraph(root, { allEffects: false, bundled: true }),
    );
    const states = boxes.filter(({ depth, node }) => depth === 0 && node.kind !== 'start');
    const top = states.reduce((first, box) => (box.y < first.y ? box : first));
    assert.is(top.node.id, root.initial, name);
  }
});

test('a line begins at the edge of the box that it leaves and ends at that of the box it leads to', async () => {
  const { boxes, edges } = await drawGraph(
    buildMachineGraph(workflow('job'), { allEffects: false, bundled: false }),
  );
  const at = (id: string) =>
    boxes.find(({ node }) => node.id === id) ?? { x: 0, y: 0, width: 0, height: 0 };
  for (const { edge, points } of edges) {
    for (const [id, point] of [
      [edge.source, points[0]],
      [edge.target, points.at(-1)],
    ] as const) {
      const { x, y, width, height } = at(id);
      const onEdge = Math.min(
        Math.abs((point?.x ?? 0) - x),
        Math.abs((point?.x ?? 0) - x - width),
        Math.abs((point?.y ?? 0) - y),
        Math.abs((point?.y ?? 0) - y - height),
      );
      assert.ok(onEdge < 1, `${edge.id} at ${id}: ${onEdge}`);
    }
  }
});

test('a campaign of 40 sub-runs is laid out from left to right along what they depend on', async () => {
  const subRuns = Array.from({ length: 40 }, (_, n) => ({
    name: `part-${n}`,
    description: `part ${n} of what is to be done`,
    status: 'pending' as const,
    attempt: 1,
    reason: null,
    dependsOn: n < 4 ? [] : [`part-${n - 4}`, `part-${n - 3}`],
  }));
  const picture = await drawGraph(buildCampaignGraph(subRuns), 'RIGHT');
  assert.equal(unreadable(picture), []);
  const x = new Map(picture.boxes.map((box) => [box.node.id, box.x]));
  for (const { name, dependsOn } of subRuns)
    for (const other of dependsOn)
      assert.ok((x.get(other) ?? 0) < (x.get(name) ?? 0), `${other} is left of ${name}`);
});

test.run();
