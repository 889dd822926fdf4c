import { packWayLines } from './arrowText.ts';
import type { GraphEdge, GraphNode, GraphWay } from './graph.ts';
import { LINE, type Measure, measureWidestRow } from './textWidth.ts';

/** All in pixels at scale 1. */
export const PAD_X = 14;
export const PAD_Y = 10;
export const TITLE_LINE = 20;
export const TAG_GAP = 6;
export const TAG_PAD = 7;
/** Side of a start mark, and of a final one. */
export const MARK = 12;
export const FINAL = 22;
/** Within a label: around a way, and between it and the next. */
export const WAY_PAD_X = 6;
export const WAY_PAD_Y = 3;
export const WAY_GAP = 3;
/** Between texts on one line: a space of their font. */
const GUARD_GAP = 7;
/** Between the lines of a box and the ways that are written into it. */
export const WAYS_GAP = 6;
const MIN_WIDTH = 88;

export interface Size {
  width: number;
  height: number;
}

/** Width of the tags beside a title, gaps included. */
export const measureTags = (tags: readonly string[], measure: Measure): number =>
  tags.reduce((width, tag) => width + TAG_GAP + measure(tag, 'tag') + 2 * TAG_PAD, 0);

/** Height of title and lines of a box, without what lies around them. */
export const measureTextHeight = ({ rows }: Pick<GraphNode, 'rows'>): number =>
  TITLE_LINE + rows.length * LINE;

/** Height of the head of a box, also where it holds others. */
export const measureHeadHeight = (node: GraphNode, measure: Measure): number =>
  2 * PAD_Y +
  measureTextHeight(node) +
  (node.ways.length === 0 ? 0 : WAYS_GAP + measureLabel(node.ways, measure).height);

/** Least size of a box; one that holds others grows around them. */
export function measureNode(node: GraphNode, measure: Measure): Size {
  if (node.kind === 'start') return { width: MARK, height: MARK };
  if (node.kind === 'final' || node.kind === 'history') {
    return {
      width: Math.max(FINAL, measure(node.title, 'title')) + 2 * PAD_X,
      height: FINAL + TITLE_LINE + PAD_Y,
    };
  }
  const head = measure(node.title, 'title') + measureTags(node.tags, measure);
  const width = Math.max(head, measureWidestRow(node.rows, measure)) + 2 * PAD_X;
  const ways = measureLabel(node.ways, measure).width + 2 * (PAD_X - WAY_PAD_X);
  return {
    width: Math.ceil(Math.max(MIN_WIDTH, width, ways)),
    height: measureHeadHeight(node, measure),
  };
}

export function measureWay(way: GraphWay, measure: Measure): Size {
  const lines = packWayLines(way.rows);
  const widths = lines.map((line) =>
    line.reduce((sum, { text, role }) => sum + measure(text, role), (line.length - 1) * GUARD_GAP),
  );
  return {
    width: Math.ceil(Math.max(0, ...widths) + 2 * WAY_PAD_X),
    height: lines.length * LINE + 2 * WAY_PAD_Y,
  };
}

/** Size of a block of ways, one below the other; nothing for none. */
export function measureLabel(ways: readonly GraphWay[], measure: Measure): Size {
  const sizes = ways.map((way) => measureWay(way, measure));
  return {
    width: Math.max(0, ...sizes.map(({ width }) => width)),
    height: Math.max(
      0,
      sizes.reduce((sum, { height }) => sum + height + WAY_GAP, -WAY_GAP),
    ),
  };
}

export const formatBundle = ({ bundle }: Pick<GraphEdge, 'bundle'>): string =>
  `${bundle.length} ${bundle.length === 1 ? 'transition' : 'transitions'}`;

export const measureBundle = (edge: GraphEdge, measure: Measure): Size => ({
  width: Math.ceil(measure(formatBundle(edge), 'tag')) + 2 * TAG_PAD,
  height: LINE + 4,
});
