import type { ElkNode } from 'elkjs/lib/elk-api.js';
import type { Graph, GraphEdge, GraphNode } from './picture/graph.ts';
import { buildLayoutInput } from './picture/buildLayoutInput.ts';
import { measureRoughly } from './picture/textWidth.ts';

const createRehearsalBox = (
  id: string,
  kind: GraphNode['kind'],
  children: GraphNode[] = [],
): GraphNode => ({
  id,
  kind,
  title: id,
  tags: ['agent'],
  rows: [{ role: 'note', text: 'agents/a.md' }],
  ways: [],
  children,
});

const createRehearsalLine = (source: string, target: string): GraphEdge => ({
  id: `${source}->${target}`,
  source,
  target,
  bundle: [],
  ways: [{ arrow: source, rows: [{ role: 'event', text: 'session.ended' }] }],
});

/** A graph with groups, labels and lines that lead back. It is laid out but never shown. */
export function createRehearsalGraph(groups: number): ElkNode {
  const at = Array.from({ length: groups }, (_, n) => n);
  const nodes = at.map((n) =>
    createRehearsalBox(`g${n}`, 'group', [
      createRehearsalBox(`g${n}a`, 'state'),
      createRehearsalBox(`g${n}b`, 'state'),
    ]),
  );
  const singles = at.map((n) => createRehearsalBox(`s${n}`, 'state'));
  const edges = at.flatMap((n) => [
    createRehearsalLine(`g${n}a`, `g${n}b`),
    createRehearsalLine(`g${n}b`, `s${n}`),
    ...(n + 1 < groups ? [createRehearsalLine(`s${n}`, `g${n + 1}a`)] : []),
    ...(n % 3 === 2 ? [createRehearsalLine(`s${n}`, `g${n - 2}`)] : []),
  ]);
  const graph: Graph = { nodes: [...nodes, ...singles], edges };
  return buildLayoutInput(graph, measureRoughly, 'DOWN');
}
