import type { ElkNode } from 'elkjs/lib/elk-api.js';
import type { Graph, GraphEdge, GraphNode } from './graph.ts';
import { layoutInput } from './layoutInput.ts';
import { roughMeasure } from './textWidth.ts';

const box = (id: string, kind: GraphNode['kind'], children: GraphNode[] = []): GraphNode => ({
  id,
  kind,
  title: id,
  tags: ['agent'],
  rows: [{ role: 'note', text: 'agents/a.md' }],
  ways: [],
  children,
});

const line = (source: string, target: string): GraphEdge => ({
  id: `${source}->${target}`,
  source,
  target,
  bundle: [],
  ways: [{ arrow: source, rows: [{ role: 'event', text: 'session.ended' }] }],
});

/**
 * A graph with everything that charts have (groups, labels, lines that lead back), as large as is
 * wanted: it is never shown.
 */
export function rehearsal(groups: number): ElkNode {
  const at = Array.from({ length: groups }, (_, n) => n);
  const nodes = at.map((n) =>
    box(`g${n}`, 'group', [box(`g${n}a`, 'state'), box(`g${n}b`, 'state')]),
  );
  const singles = at.map((n) => box(`s${n}`, 'state'));
  const edges = at.flatMap((n) => [
    line(`g${n}a`, `g${n}b`),
    line(`g${n}b`, `s${n}`),
    ...(n + 1 < groups ? [line(`s${n}`, `g${n + 1}a`)] : []),
    ...(n % 3 === 2 ? [line(`s${n}`, `g${n - 2}`)] : []),
  ]);
  const graph: Graph = { nodes: [...nodes, ...singles], edges };
  return layoutInput(graph, roughMeasure, 'DOWN');
}
