import type { Graph } from './picture/graph.ts';
import type { Direction } from './picture/buildLayoutInput.ts';
import { measureNode } from './picture/graphSizes.ts';
import type { Measure } from './picture/textWidth.ts';
import type { Extent } from './viewport.ts';

/** Between boxes along the lines, and beside each other, px. */
const ALONG = 46;
const BESIDE = 28;

/** For each box the number of boxes on the longest way that leads to it; cycles are cut. */
function computeBoxDepths({ nodes, edges }: Graph): Map<string, number> {
  const before = new Map<string, string[]>();
  for (const { source, target } of edges) {
    const knownTargets = before.get(target);
    if (knownTargets) knownTargets.push(source);
    else before.set(target, [source]);
  }
  const depth = new Map<string, number>();
  // In the order in which they are declared, which is mostly that of the lines; a few rounds do.
  for (let round = 0; round < nodes.length; round++) {
    let hasChanged = false;
    for (const { id } of nodes) {
      const next = 1 + Math.max(-1, ...(before.get(id) ?? []).map((one) => depth.get(one) ?? 0));
      if (next === depth.get(id) || next >= nodes.length) continue;
      depth.set(id, next);
      hasChanged = true;
    }
    if (!hasChanged) break;
  }
  return depth;
}

/** The direction in which a graph without groups is likely to be drawn larger in this view. */
export function fitDirection(graph: Graph, measure: Measure, view: Extent): Direction {
  const depth = computeBoxDepths(graph);
  const layers = new Map<number, { width: number; height: number; count: number }>();
  for (const node of graph.nodes) {
    const { width, height } = measureNode(node, measure);
    const at = depth.get(node.id) ?? 0;
    const layer = layers.get(at) ?? { width: 0, height: 0, count: 0 };
    layers.set(at, {
      width: Math.max(layer.width, width),
      height: Math.max(layer.height, height),
      count: layer.count + 1,
    });
  }
  const all = [...layers.values()];
  const sum = (of: (layer: (typeof all)[number]) => number) =>
    all.reduce((total, layer) => total + of(layer), 0);
  const most = (of: (layer: (typeof all)[number]) => number) => Math.max(1, ...all.map(of));
  const right = Math.min(
    view.width /
      Math.max(
        1,
        sum(({ width }) => width + ALONG),
      ),
    view.height / most(({ height, count }) => (height + BESIDE) * count),
  );
  const down = Math.min(
    view.width / most(({ width, count }) => (width + BESIDE) * count),
    view.height /
      Math.max(
        1,
        sum(({ height }) => height + ALONG),
      ),
  );
  return Math.min(1, right) >= Math.min(1, down) ? 'RIGHT' : 'DOWN';
}
