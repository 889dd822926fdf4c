export type ImportEdge = readonly [from: string, to: string];

function groupItems<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Import cycles, each as its sorted names (strongly connected components, after Tarjan). */
export function listImportCycles(edges: readonly ImportEdge[]): string[] {
  const targets = groupItems(edges, ([from]) => from);
  const order = new Map<string, number>();
  const path: string[] = [];
  const cycles: string[] = [];
  /** Answers the earliest file on the path that leads here and can be reached from here. */
  const visit = (file: string): number => {
    const at = order.size;
    order.set(file, at);
    path.push(file);
    let earliest = at;
    for (const [, to] of targets.get(file) ?? []) {
      const position = order.get(to);
      if (position === undefined) earliest = Math.min(earliest, visit(to));
      else if (path.includes(to)) earliest = Math.min(earliest, position);
    }
    if (earliest === at) {
      const cycle = path.splice(path.indexOf(file));
      if (cycle.length > 1) cycles.push(cycle.sort().join(', '));
    }
    return earliest;
  };
  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return cycles;
}

/** Pairs of folders that import each other, with an example of each direction. */
export function folderPairs(
  edges: readonly ImportEdge[],
  folderOf: (file: string) => string,
): string[] {
  const between = groupItems(edges, ([from, to]) => `${folderOf(from)} ${folderOf(to)}`);
  return [...between].flatMap(([key, [edge]]) => {
    const [a = '', b = ''] = key.split(' ');
    const [back] = between.get(`${b} ${a}`) ?? [];
    if (a >= b || edge === undefined || back === undefined) return [];
    return [`${a} and ${b}: ${edge.join(' imports ')}, ${back.join(' imports ')}`];
  });
}
