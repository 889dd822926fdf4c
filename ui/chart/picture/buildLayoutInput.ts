import type { ElkExtendedEdge, ElkNode, LayoutOptions } from 'elkjs/lib/elk-api.js';
import { type Graph, type GraphEdge, type GraphNode, flattenNodes } from './graph.ts';
import { measureBundle, measureHeadHeight, measureLabel, measureNode } from './graphSizes.ts';
import type { Measure } from './textWidth.ts';

export type Direction = 'DOWN' | 'RIGHT';

/** Space around what a box holds, pixels. */
const INSIDE = 20;

/** With more lines the layout avoids fewer crossings: it would take seconds. */
const THOROUGH_UP_TO = 70;

const createLevelOptions = (direction: Direction): LayoutOptions => ({
  'elk.direction': direction,
  'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
  'elk.layered.nodePlacement.bk.fixedAlignment': 'BALANCED',
  'elk.spacing.nodeNode': '28',
  'elk.spacing.edgeNode': '18',
  'elk.spacing.edgeEdge': '14',
  'elk.spacing.edgeLabel': '4',
  'elk.layered.spacing.nodeNodeBetweenLayers': '30',
  'elk.layered.spacing.edgeNodeBetweenLayers': '16',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '12',
});

const BARE_SPACING: LayoutOptions = {
  'elk.layered.spacing.nodeNodeBetweenLayers': '20',
  'elk.layered.spacing.edgeNodeBetweenLayers': '11',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '9',
};

const createRootOptions = (direction: Direction): LayoutOptions => ({
  'elk.algorithm': 'layered',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
  'elk.padding': `[top=${INSIDE},left=${INSIDE},bottom=${INSIDE},right=${INSIDE}]`,
  ...createLevelOptions(direction),
});

function toNodeInput(node: GraphNode, measure: Measure, direction: Direction): ElkNode {
  const { width, height } = measureNode(node, measure);
  if (node.children.length === 0) return { id: node.id, width, height };
  const top = measureHeadHeight(node, measure);
  return {
    id: node.id,
    layoutOptions: {
      ...createLevelOptions(direction),
      'elk.padding': `[top=${top + INSIDE / 2},left=${INSIDE},bottom=${INSIDE},right=${INSIDE}]`,
      'elk.nodeSize.constraints': 'MINIMUM_SIZE',
      'elk.nodeSize.minimum': `(${width},${height})`,
    },
    children: node.children.map((child) => toNodeInput(child, measure, direction)),
  };
}

/** A label sits on its own line, near the box that the line leaves. */
const createLabelOptions = (isReversed: boolean): LayoutOptions => ({
  'elk.edgeLabels.placement': 'CENTER',
  'elk.edgeLabels.inline': 'true',
  'elk.layered.edgeLabels.centerLabelPlacementStrategy': isReversed ? 'HEAD_LAYER' : 'TAIL_LAYER',
});

/**
 * Lines that lead back: from a box to one that is declared before it. The layout program is given
 * them turned round, so that what is declared first comes first; by default it looks for the fewest
 * such lines, whatever that puts at the top.
 */
export function findTurnedEdges({ nodes, edges }: Graph): Set<string> {
  const places = new Map(flattenNodes(nodes).map(({ id }, place) => [id, place]));
  const getPlace = (id: string): number => places.get(id) ?? 0;
  return new Set(
    edges.filter(({ source, target }) => getPlace(target) < getPlace(source)).map(({ id }) => id),
  );
}

function toEdgeInput(edge: GraphEdge, isReversed: boolean, measure: Measure): ElkExtendedEdge {
  const { id, source, target, ways, bundle } = edge;
  const line = {
    id,
    sources: [isReversed ? target : source],
    targets: [isReversed ? source : target],
  };
  if (ways.length + bundle.length === 0) return line;
  const size = bundle.length > 0 ? measureBundle(edge, measure) : measureLabel(ways, measure);
  return {
    ...line,
    labels: [
      { id: `${id}//label`, text: id, ...size, layoutOptions: createLabelOptions(isReversed) },
    ],
  };
}

export function buildLayoutInput(graph: Graph, measure: Measure, direction: Direction): ElkNode {
  const turnedEdges = findTurnedEdges(graph);
  const isBare = graph.edges.every(({ ways, bundle }) => ways.length + bundle.length === 0);
  return {
    id: '//root',
    layoutOptions: {
      ...createRootOptions(direction),
      // Lines without texts need less room.
      ...(isBare ? BARE_SPACING : {}),
      ...(graph.edges.length > THOROUGH_UP_TO ? { 'elk.layered.thoroughness': '2' } : {}),
    },
    children: graph.nodes.map((node) => toNodeInput(node, measure, direction)),
    edges: graph.edges.map((edge) => toEdgeInput(edge, turnedEdges.has(edge.id), measure)),
  };
}
