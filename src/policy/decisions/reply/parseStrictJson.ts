import { parseTree, type Node } from 'jsonc-parser';

/**
 * Parses JSON. Throws Error for invalid JSON and for an object with a duplicate key: parsers differ
 * in which one counts.
 */
export function parseStrictJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const tree = parseTree(text);
  const twice = tree ? findRepeatedKey(tree) : null;
  if (twice !== null) throw new Error(`the key ${JSON.stringify(twice)} occurs twice`);
  return value;
}

function findRepeatedKey(root: Node): string | null {
  const open: Node[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    const { type, children = [] } = node;
    if (type === 'object') {
      const keys = children.map(({ children: pair }) => String(pair?.[0]?.value));
      const seenKeys = new Set<string>();
      for (const key of keys) {
        if (seenKeys.has(key)) return key;
        seenKeys.add(key);
      }
    }
    open.push(...children);
  }
  return null;
}
