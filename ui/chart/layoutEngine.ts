import elk, { type ELK, type ElkNode } from 'elkjs/lib/elk-api.js';
import { findKeptLayout, hashLayoutInput, keepLayout } from './keptLayouts.ts';
import { ensureLayoutWorker } from './layoutWorker.ts';
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
function createRehearsalGraph(groups: number): ElkNode {
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

/** Layouts that are kept, so that a chart that is shown again needs none. */
const KEPT = 24;

const engines = new WeakMap<Worker, ELK>();

function openLayoutEngine(worker: Worker): ELK {
  const engine =
    engines.get(worker) ??
    new elk.default({ algorithms: ['layered'], workerFactory: () => worker });
  engines.set(worker, engine);
  return engine;
}

/** Also rejects when the worker fails, for which the library would wait forever. */
function placeGraph(input: ElkNode): Promise<ElkNode> {
  const { worker, failed } = ensureLayoutWorker();
  return new Promise((resolve, reject) => {
    const fail = () => reject(failed.reason);
    failed.addEventListener('abort', fail);
    openLayoutEngine(worker)
      .layout(input)
      .then(resolve, reject)
      .finally(() => failed.removeEventListener('abort', fail));
  });
}

const layouts = new Map<string, Promise<ElkNode>>();
/** False until the first layout was asked for. */
let isAsked = false;

/** The layout that this browser has kept of an earlier one; undefined = it has to be computed. */
export const findLayout = (input: ElkNode): ElkNode | undefined =>
  findKeptLayout(hashLayoutInput(JSON.stringify(input)));

/** Computes places off the page's thread. Rejects with its error; the next call tries again. */
export function computeLayout(input: ElkNode): Promise<ElkNode> {
  const key = JSON.stringify(input);
  const knownLayout = layouts.get(key);
  if (knownLayout) return knownLayout;
  isAsked = true;
  const placement = placeGraph(input);
  layouts.set(key, placement);
  placement.then(
    (layout) => keepLayout(hashLayoutInput(key), layout),
    () => layouts.delete(key),
  );
  const [oldest] = layouts.keys();
  if (layouts.size > KEPT && oldest !== undefined) layouts.delete(oldest);
  return placement;
}

/** Groups of each rehearsal; small ones first, so that a real layout does not wait long. */
const REHEARSALS = [1, 4, 8, 12, 16, 16];

/**
 * Rehearses layouts until one is requested: the first ones of a worker take several times as long
 * as those that follow. Rejects where one goes wrong; the layout that is asked for reports the
 * error to people.
 */
export async function rehearseLayout(): Promise<void> {
  for (const groups of REHEARSALS) {
    if (isAsked) return;
    await placeGraph(createRehearsalGraph(groups));
  }
}
