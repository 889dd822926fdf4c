import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import { packWayLines } from './arrowText.ts';
import {
  type Graph,
  type GraphEdge,
  type GraphNode,
  type GraphWay,
  flattenNodes,
  type TextRow,
} from './graph.ts';
import { findTurnedEdges } from './buildLayoutInput.ts';
import { drawArrowHead, type Point, drawRoundedPath } from './drawRoundedPath.ts';
import {
  PAD_X,
  PAD_Y,
  TAG_GAP,
  TAG_PAD,
  TITLE_LINE,
  measureTextHeight,
  WAY_GAP,
  WAY_PAD_X,
  WAYS_GAP,
  measureWay,
} from './graphSizes.ts';
import { LINE, type Measure } from './textWidth.ts';

/** A rectangle; x and y of its upper left corner. */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface DrawnWay extends Rect {
  arrow: string;
  lines: TextRow[][];
}

export interface DrawnTag extends Rect {
  text: string;
}

export interface DrawnBox extends Rect {
  node: GraphNode;
  depth: number;
  tags: DrawnTag[];
  ways: DrawnWay[];
}

export interface DrawnEdge {
  edge: GraphEdge;
  /** From the edge of the one box to that of the other. */
  points: Point[];
  /** SVG path data of the line, and of the head at its end. */
  path: string;
  head: string;
  ways: DrawnWay[];
  /** Place of what a bundle says; null for all other edges. */
  bundle: Rect | null;
}

/** Everything with its place, in pixels at scale 1; outer boxes before those in them. */
export interface Drawing {
  width: number;
  height: number;
  boxes: DrawnBox[];
  edges: DrawnEdge[];
}

const CORNER = 9;

const toRect = ({ x = 0, y = 0, width = 0, height = 0 }: Partial<Rect>): Rect => ({
  x,
  y,
  width,
  height,
});

/** Ways one below the other: each in the middle of `place`, or all at its left edge. */
function placeWays(
  place: Rect,
  ways: readonly GraphWay[],
  at: 'middle' | 'left',
  measure: Measure,
): DrawnWay[] {
  let y = place.y;
  return ways.map((way) => {
    const { width, height } = measureWay(way, measure);
    const x = at === 'middle' ? place.x + (place.width - width) / 2 : place.x;
    const box = { arrow: way.arrow, lines: packWayLines(way.rows), x, y, width, height };
    y += height + WAY_GAP;
    return box;
  });
}

function placeTags(rect: Rect, { title, tags }: GraphNode, measure: Measure): DrawnTag[] {
  let x = rect.x + PAD_X + measure(title, 'title');
  return tags.map((text) => {
    const width = measure(text, 'tag') + 2 * TAG_PAD;
    const tag = {
      text,
      x: x + TAG_GAP,
      y: rect.y + PAD_Y + (TITLE_LINE - LINE) / 2,
      width,
      height: LINE,
    };
    x += TAG_GAP + width;
    return tag;
  });
}

function placeBoxes(
  placedNodes: readonly ElkNode[],
  nodes: ReadonlyMap<string, GraphNode>,
  depth: number,
  measure: Measure,
): DrawnBox[] {
  return placedNodes.flatMap((one) => {
    const node = nodes.get(one.id);
    if (!node) return [];
    const rect = toRect(one);
    const below = {
      ...rect,
      x: rect.x + PAD_X - WAY_PAD_X,
      y: rect.y + PAD_Y + measureTextHeight(node) + WAYS_GAP,
    };
    const box = {
      ...rect,
      node,
      depth,
      tags: placeTags(rect, node, measure),
      ways: placeWays(below, node.ways, 'left', measure),
    };
    return [box, ...placeBoxes(one.children ?? [], nodes, depth + 1, measure)];
  });
}

const listEdgePoints = ({ sections = [] }: ElkExtendedEdge): Point[] =>
  sections.flatMap(({ startPoint, bendPoints = [], endPoint }) => [
    startPoint,
    ...bendPoints,
    endPoint,
  ]);

/** Every edge of the answer, wherever the layout program has put it. */
const collectPlacedEdges = (node: ElkNode): ElkExtendedEdge[] => [
  ...(node.edges ?? []),
  ...(node.children ?? []).flatMap(collectPlacedEdges),
];

export function buildDrawing(graph: Graph, placedRoot: ElkNode, measure: Measure): Drawing {
  const nodes = new Map(flattenNodes(graph.nodes).map((node) => [node.id, node]));
  const answers = new Map(collectPlacedEdges(placedRoot).map((edge) => [edge.id, edge]));
  const turnedEdges = findTurnedEdges(graph);
  const edges = graph.edges.flatMap((edge) => {
    const answer = answers.get(edge.id);
    if (!answer) return [];
    const points = turnedEdges.has(edge.id)
      ? listEdgePoints(answer).reverse()
      : listEdgePoints(answer);
    const [label] = answer.labels ?? [];
    const ways = label ? placeWays(toRect(label), edge.ways, 'middle', measure) : [];
    const bundle = label && edge.bundle.length > 0 ? toRect(label) : null;
    return [
      {
        edge,
        points,
        path: drawRoundedPath(points, CORNER),
        head: drawArrowHead(points),
        ways,
        bundle,
      },
    ];
  });
  const { width, height } = toRect(placedRoot);
  return { width, height, boxes: placeBoxes(placedRoot.children ?? [], nodes, 0, measure), edges };
}
