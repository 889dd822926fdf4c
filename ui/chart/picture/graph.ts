/** What a line of text is; each has a font of its own. */
export type TextRole =
  | ('title' | 'note' | 'says' | 'event' | 'guard' | 'effect' | 'target' | 'tag')
  // How often, and how often by runs that failed.
  | ('count' | 'failed');

export interface TextRow {
  role: TextRole;
  text: string;
}

/**
 * A box of a graph. `state`: a leaf; `group`: holds others; `region`: one of several that are all
 * entered at once; `final`, `start` and `history` are marks.
 */
export interface GraphNode {
  id: string;
  kind: 'state' | 'group' | 'region' | 'final' | 'start' | 'history';
  title: string;
  tags: readonly string[];
  rows: readonly TextRow[];
  /** Transitions that are listed in the box because their lines would be long. */
  ways: readonly GraphWay[];
  children: readonly GraphNode[];
}

/** A way with its text: one of several along an edge, or one that is written into a box. */
export interface GraphWay {
  /** Id of the arrow that it represents. */
  arrow: string;
  rows: readonly TextRow[];
}

/** A line between boxes. Ways between the same two boxes share one edge. */
export interface GraphEdge {
  id: string;
  source: string;
  target: string;
  /** Empty for a line that says nothing, such as that from a start mark, and for a bundle. */
  ways: readonly GraphWay[];
  /** Arrows that this one line stands for, each written into its box; empty = no bundle. */
  bundle: readonly string[];
}

export interface Graph {
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
}

/** Every node of the graph, outer ones before those in them. */
export const flattenNodes = (nodes: readonly GraphNode[]): GraphNode[] =>
  nodes.flatMap((node) => [node, ...flattenNodes(node.children)]);
