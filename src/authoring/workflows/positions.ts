import { type Document, isMap, isNode, isScalar, type LineCounter, type Node } from 'yaml';
import type { Place } from './findings.ts';

export type KeyPath = readonly (string | number)[];

/**
 * Where keys and values of the front matter are in the file. A missing path gives the place of its
 * nearest ancestor.
 */
export interface Positions {
  key(path: KeyPath): Place;
  value(path: KeyPath): Place;
}

const START: Place = { line: 1, column: 1 };

/** Of a file whose front matter could not be read: everything is at its start. */
export const noPositions: Positions = { key: () => START, value: () => START };

/**
 * The document's text begins on line 1 of the file, right after the opening `---`, so its lines are
 * the file's lines.
 */
export function positionsOf(document: Document.Parsed, lines: LineCounter): Positions {
  const placeOf = (node: unknown): Place | null => {
    if (!isNode(node) || !node.range) return null;
    const { line, col } = lines.linePos(node.range[0]);
    return { line, column: col };
  };
  const nodeAt = (path: KeyPath): unknown =>
    path.length === 0 ? document.contents : document.getIn(path, true);
  const keyNode = (path: KeyPath): Node | null => {
    const parent = nodeAt(path.slice(0, -1));
    if (!isMap(parent)) return null;
    const pair = parent.items.find(
      (item) => isScalar(item.key) && String(item.key.value) === String(path.at(-1)),
    );
    return pair && isNode(pair.key) ? pair.key : null;
  };
  const value = (path: KeyPath): Place =>
    placeOf(nodeAt(path)) ?? (path.length > 0 ? key(path) : START);
  function key(path: KeyPath): Place {
    if (path.length === 0) return value(path);
    return placeOf(keyNode(path)) ?? value(path.slice(0, -1));
  }
  return { key, value };
}
