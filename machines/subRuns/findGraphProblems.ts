import { listEdges, type Graph } from './graph.ts';
import { listDependents } from './advanceCampaign.ts';

/** All problems of the graph, with names; empty = it can be finished. */
export function findGraphProblems(graph: Pick<Graph, 'names' | 'dependsOn'>): string[] {
  const { names, dependsOn } = graph;
  if (names.length === 0) return ['no sub-run is registered'];
  const knownNames = new Set(names);
  const problems: string[] = [];
  names.forEach((name, n) => {
    const missing = (dependsOn[n] ?? []).filter((dependency) => !knownNames.has(dependency));
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
  const blockedPositions = findBlockedPositions(edges);
  const cycles: string[][] = [];
  const coveredPositions = new Set<number>();
  for (const start of blockedPositions) {
    if (coveredPositions.has(start)) continue;
    const path = findPathBack(edges, start, blockedPositions);
    if (!path) continue;
    for (const n of path) coveredPositions.add(n);
    cycles.push(path.map((n) => graph.names[n] ?? ''));
  }
  return cycles;
}

/** What remains after repeatedly removing what waits for nothing: cycles and their dependents. */
function findBlockedPositions(edges: readonly (readonly number[])[]): Set<number> {
  const dependents = listDependents(edges);
  const open = edges.map((dependencies) => dependencies.length);
  const free = open.flatMap((count, n) => (count === 0 ? [n] : []));
  const remaining = new Set(edges.keys());
  for (let at = 0; at < free.length; at++) {
    const n = free[at] ?? 0;
    remaining.delete(n);
    for (const dependent of dependents[n] ?? []) {
      const count = (open[dependent] ?? 0) - 1;
      open[dependent] = count;
      if (count === 0) free.push(dependent);
    }
  }
  return remaining;
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
    for (const dependency of edges[n] ?? []) {
      if (dependency === start) {
        const path = [n];
        for (let step = n; step !== start; ) {
          step = cameFrom.get(step) ?? start;
          path.unshift(step);
        }
        return path;
      }
      if (!within.has(dependency) || cameFrom.has(dependency)) continue;
      cameFrom.set(dependency, n);
      queue.push(dependency);
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
    const blockedPositions = new Set<number>();
    const queue = [...(dependents[n] ?? [])];
    for (let at = 0; at < queue.length; at++) {
      const next = queue[at] ?? n;
      if (blockedPositions.has(next) || next === n) continue;
      blockedPositions.add(next);
      queue.push(...(dependents[next] ?? []));
    }
    return blockedPositions.size === 0
      ? []
      : [
          {
            name,
            strands: [...blockedPositions].sort((a, b) => a - b).map((at) => graph.names[at] ?? ''),
          },
        ];
  });
}
