import { listEdges, type Graph } from './graph.ts';
import { listDependents } from './advanceCampaign.ts';

/** All problems of the graph, with names; empty = it can be finished. */
export function findGraphProblems(graph: Pick<Graph, 'names' | 'dependsOn'>): string[] {
  const { names, dependsOn } = graph;
  if (names.length === 0) return ['no sub-run is registered'];
  const known = new Set(names);
  const problems: string[] = [];
  names.forEach((name, n) => {
    const missing = (dependsOn[n] ?? []).filter((needed) => !known.has(needed));
    if (missing.length > 0)
      problems.push(`${name} depends on ${missing.join(', ')}, which is not registered`);
  });
  for (const cycle of findCycles(graph))
    problems.push(`there is a cycle: ${[...cycle, cycle[0]].join(' -> ')}`);
  return problems;
}

/** Shortest cycles that together cover every cyclic name, each in waiting order. */
function findCycles(graph: Pick<Graph, 'names' | 'dependsOn'>): string[][] {
  const edges = listEdges(graph);
  const left = findBlockedPositions(edges);
  const cycles: string[][] = [];
  const covered = new Set<number>();
  for (const start of left) {
    if (covered.has(start)) continue;
    const path = findPathBack(edges, start, left);
    if (!path) continue;
    for (const n of path) covered.add(n);
    cycles.push(path.map((n) => graph.names[n] ?? ''));
  }
  return cycles;
}

/** What remains after repeatedly removing what waits for nothing: cycles and their dependents. */
function findBlockedPositions(edges: readonly (readonly number[])[]): Set<number> {
  const dependents = listDependents(edges);
  const open = edges.map((needed) => needed.length);
  const free = open.flatMap((count, n) => (count === 0 ? [n] : []));
  const left = new Set(edges.keys());
  for (let at = 0; at < free.length; at++) {
    const n = free[at] ?? 0;
    left.delete(n);
    for (const dependent of dependents[n] ?? []) {
      const count = (open[dependent] ?? 0) - 1;
      open[dependent] = count;
      if (count === 0) free.push(dependent);
    }
  }
  return left;
}

/** The shortest cycle through `start` along dependencies; undefined = none. */
function findPathBack(
  edges: readonly (readonly number[])[],
  start: number,
  within: ReadonlySet<number>,
): number[] | undefined {
  const cameFrom = new Map<number, number>();
  const queue = [start];
  for (let at = 0; at < queue.length; at++) {
    const n = queue[at] ?? start;
    for (const needed of edges[n] ?? []) {
      if (needed === start) {
        const path = [n];
        for (let step = n; step !== start; ) {
          step = cameFrom.get(step) ?? start;
          path.unshift(step);
        }
        return path;
      }
      if (!within.has(needed) || cameFrom.has(needed)) continue;
      cameFrom.set(needed, n);
      queue.push(needed);
    }
  }
  return undefined;
}

/** Names of sub-runs whose failure would strand others: they have dependents. */
export function findStrandingSubRuns(
  graph: Pick<Graph, 'names' | 'dependsOn'>,
): { name: string; strands: string[] }[] {
  const dependents = listDependents(listEdges(graph));
  return graph.names.flatMap((name, n) => {
    const found = new Set<number>();
    const queue = [...(dependents[n] ?? [])];
    for (let at = 0; at < queue.length; at++) {
      const next = queue[at] ?? n;
      if (found.has(next) || next === n) continue;
      found.add(next);
      queue.push(...(dependents[next] ?? []));
    }
    return found.size === 0
      ? []
      : [{ name, strands: [...found].sort((a, b) => a - b).map((at) => graph.names[at] ?? '') }];
  });
}
