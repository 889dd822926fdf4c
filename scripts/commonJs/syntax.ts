import { type ESTree, parseAst } from 'vite';

export type Statement = ESTree.Program['body'][number];

/** Any node of a tree: an object with a type and its place in the text. */
export type Node = Record<string, unknown> & { type: string; start: number; end: number };

export const parseStatements = (source: string): readonly Statement[] => parseAst(source).body;

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** Calls `act` for every node of a tree, the ones above first, with the one right above. */
export function visit(
  node: unknown,
  act: (node: Node, parent: Node | null) => void,
  parent: Node | null = null,
): void {
  if (!isNode(node)) return;
  act(node, parent);
  for (const value of Object.values(node))
    if (Array.isArray(value)) for (const part of value) visit(part, act, node);
    else visit(value, act, node);
}

/** Name of an export, which may be written as a string. */
export const getName = (node: { type: string; name?: string; value?: unknown }): string =>
  String(node.type === 'Identifier' ? node.name : node.value);
