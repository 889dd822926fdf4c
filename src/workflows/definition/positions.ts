import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import type { Place } from './findings.ts';
import { listMergedMaps, type Resolve } from './yamlNodes.ts';

export type KeyPath = readonly (string | number)[];

/** A path in findings: `phases[0].status`. */
export const toKeyText = (path: KeyPath): string =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${part}` : part,
    '',
  );

/**
 * Places of keys and values of the front matter in the file. A missing path gets the place of its
 * nearest ancestor.
 */
export interface Positions {
  key(path: KeyPath): Place;
  value(path: KeyPath): Place;
}

const START: Place = { line: 1, column: 1 };

export const noPositions: Positions = { key: () => START, value: () => START };

/**
 * The document's text begins on line 1 of the file, right after the opening `---`, so its lines are
 * the file's lines.
 */
export function createPositions(
  document: Document.Parsed,
  lines: LineCounter,
  resolve: Resolve,
): Positions {
  const toPlace = (node: unknown): Place | null => {
    if (!isNode(node) || !node.range) return null;
    const { line, col } = lines.linePos(node.range[0]);
    return { line, column: col };
  };
  /** The pair of a key: in the map itself, else in a merged one. */
  const pairIn = (map: YAMLMap, key: string | number): Pair | undefined =>
    map.items.find((item) => isScalar(item.key) && item.key.value === String(key)) ??
    listMergedMaps(map, resolve)
      .map((other) => pairIn(other, key))
      .find((pair) => pair !== undefined);
  const inside = (parent: unknown, part: string | number): unknown => {
    const target = resolve(parent);
    if (isMap(target)) return pairIn(target, part)?.value;
    return isSeq(target) ? target.items[Number(part)] : undefined;
  };
  const nodeAt = (path: KeyPath): unknown => path.reduce<unknown>(inside, document.contents);
  const keyNode = (path: KeyPath): Node | null => {
    const parent = resolve(nodeAt(path.slice(0, -1)));
    const pair = isMap(parent) ? pairIn(parent, path.at(-1) ?? '') : undefined;
    return pair && isNode(pair.key) ? pair.key : null;
  };
  const value = (path: KeyPath): Place =>
    toPlace(nodeAt(path)) ?? (path.length > 0 ? key(path) : START);
  function key(path: KeyPath): Place {
    if (path.length === 0) return value(path);
    return toPlace(keyNode(path)) ?? value(path.slice(0, -1));
  }
  return { key, value };
}
