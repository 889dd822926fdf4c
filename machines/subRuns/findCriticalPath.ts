import { listEdges, type Graph } from './graph.ts';

/**
 * Names on the longest chain, in order; `durations` in any unit, one per sub-run. Leaves out cycles
 * and what hangs on them.
 */
export function findCriticalPath(
  graph: Pick<Graph, 'names' | 'dependsOn'>,
  durations: readonly number[],
): string[] {
  const edges = listEdges(graph);
  const longestDurations: (number | undefined)[] = [];
  const via: (number | undefined)[] = [];
  const state = edges.map((): 'new' | 'open' | 'known' => 'new');
  // Uses its own stack: a chain of ten thousand would overflow the call stack.
  for (const root of edges.keys()) {
    const stack = [root];
    while (stack.length > 0) {
      const n = stack.at(-1) ?? root;
      if (state[n] === 'new') {
        state[n] = 'open';
        for (const dependency of edges[n] ?? [])
          if (state[dependency] === 'new') stack.push(dependency);
        continue;
      }
      stack.pop();
      if (state[n] === 'known') continue;
      state[n] = 'known';
      let longest = 0;
      for (const dependency of edges[n] ?? []) {
        const until = longestDurations[dependency];
        if (until === undefined || until < longest) continue;
        longest = until;
        via[n] = dependency;
      }
      longestDurations[n] = longest + (durations[n] ?? 0);
    }
  }
  let last: number | undefined;
  for (const n of edges.keys())
    if (last === undefined || (longestDurations[n] ?? 0) > (longestDurations[last] ?? 0)) last = n;
  const path: string[] = [];
  for (
    const visited = new Set<number>();
    last !== undefined && !visited.has(last);
    last = via[last]
  ) {
    visited.add(last);
    path.unshift(graph.names[last] ?? '');
  }
  return path;
}
