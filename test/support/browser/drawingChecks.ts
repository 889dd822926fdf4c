import Elk, { type ElkNode } from 'elkjs/lib/main.js';
import {
  type Drawing,
  type DrawnEdge,
  buildDrawing,
  type Rect,
} from '../../../ui/chart/picture/drawing.ts';
import type { Graph } from '../../../ui/chart/picture/graph.ts';
import { type Direction, buildLayoutInput } from '../../../ui/chart/picture/buildLayoutInput.ts';
import { measureRoughly } from '../../../ui/chart/picture/textWidth.ts';

const elk = new Elk.default();

export async function drawGraph(graph: Graph, direction: Direction = 'DOWN'): Promise<Drawing> {
  const placed: ElkNode = await elk.layout(buildLayoutInput(graph, measureRoughly, direction));
  return buildDrawing(graph, placed, measureRoughly);
}

const SLACK = 0.5;

const overlap = (a: Rect, b: Rect): boolean =>
  a.x + SLACK < b.x + b.width &&
  b.x + SLACK < a.x + a.width &&
  a.y + SLACK < b.y + b.height &&
  b.y + SLACK < a.y + a.height;

const inside = (inner: Rect, outer: Rect): boolean =>
  inner.x + SLACK >= outer.x &&
  inner.y + SLACK >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width + SLACK &&
  inner.y + inner.height <= outer.y + outer.height + SLACK;

/** The straight parts of a line, as rectangles without width. */
const parts = ({ points }: DrawnEdge): Rect[] =>
  points.slice(1).map((to, index) => {
    const from = points[index] ?? to;
    const [x, y] = [Math.min(from.x, to.x), Math.min(from.y, to.y)];
    return { x, y, width: Math.abs(from.x - to.x), height: Math.abs(from.y - to.y) };
  });

const crosses = (part: Rect, label: Rect): boolean =>
  part.x <= label.x + label.width - SLACK &&
  part.x + part.width >= label.x + SLACK &&
  part.y <= label.y + label.height - SLACK &&
  part.y + part.height >= label.y + SLACK;

const listLabels = ({ ways, bundle }: DrawnEdge): Rect[] => [...ways, ...(bundle ? [bundle] : [])];

export function unreadable({ boxes, edges, width, height }: Drawing): string[] {
  const problems: string[] = [];
  const whole = { x: 0, y: 0, width, height };
  const leaves = boxes.filter(({ node }) => node.children.length === 0);
  for (const [index, box] of leaves.entries()) {
    for (const other of leaves.slice(index + 1))
      if (overlap(box, other))
        problems.push(`the boxes ${box.node.id} and ${other.node.id} overlap`);
    for (const way of box.ways)
      if (!inside(way, box)) problems.push(`a way of ${box.node.id} sticks out of its box`);
  }
  for (const box of boxes)
    for (const child of box.node.children) {
      const within = boxes.find(({ node }) => node.id === child.id);
      if (!within || !inside(within, box))
        problems.push(`${child.id} is not within ${box.node.id}`);
    }
  const labels = edges.flatMap((edge) => listLabels(edge).map((rect) => ({ rect, edge })));
  for (const [index, { rect, edge }] of labels.entries()) {
    const { id } = edge.edge;
    if (!inside(rect, whole)) problems.push(`a label of ${id} sticks out of the picture`);
    for (const other of labels.slice(index + 1))
      if (overlap(rect, other.rect))
        problems.push(`labels of ${id} and ${other.edge.edge.id} overlap`);
    for (const box of leaves)
      if (overlap(rect, box)) problems.push(`a label of ${id} lies on ${box.node.id}`);
    for (const other of edges)
      if (other !== edge && parts(other).some((part) => crosses(part, rect)))
        problems.push(`${other.edge.id} crosses a label of ${id}`);
  }
  return problems;
}
