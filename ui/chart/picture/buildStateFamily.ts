import type { ChartNode } from '../../../src/contract/schema/workflow/machine.ts';

/** Who lies in whom, in one chart. */
export interface StateFamily {
  has(path: string): boolean;
  describeState(path: string): string;
  /** The state itself, what it lies in, what that lies in, up to the root. */
  listChain(path: string): string[];
  /**
   * The two neighbours whose borders an arrow crosses: `from` holds the source or is it, `to` holds
   * the target or is it. Null for an arrow between neighbours, and for one from a state to what it
   * lies in or what lies in it.
   */
  borderBetween(source: string, target: string): { from: string; to: string } | null;
}

export function buildStateFamily(root: ChartNode): StateFamily {
  const parents = new Map<string, string | null>();
  const names = new Map<string, string>();
  const note = (node: ChartNode, parent: string | null): void => {
    parents.set(node.path, parent);
    names.set(node.path, node.name);
    for (const child of node.states) note(child, node.path);
  };
  note(root, null);
  const listChain = (path: string): string[] => {
    const chain = [path];
    for (let above = parents.get(path) ?? null; above !== null; above = parents.get(above) ?? null)
      chain.push(above);
    return chain;
  };
  return {
    has: (path) => parents.has(path),
    describeState: (path) => names.get(path) ?? path,
    listChain,
    borderBetween(source, target) {
      const [from, to] = [listChain(source), listChain(target)];
      const common = from.find((path) => to.includes(path));
      if (common === undefined || common === source || common === target) return null;
      const below = (chain: string[]) => chain[chain.indexOf(common) - 1] ?? common;
      const border = { from: below(from), to: below(to) };
      return border.from === source && border.to === target ? null : border;
    },
  };
}
