import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import { describeCodePoint } from '../../base/text/codePoints.ts';
import type { Findings, Place } from './findings.ts';

/**
 * Most values that aliases (`*name`) may stand for in one file, counted at each use; more is an
 * alias bomb.
 */
export const MAX_ALIASED_VALUES = 5_000;

/** Spaces other than the plain one, and invisible characters. */
const HIDDEN = /(?! )[\p{Zs}\p{Cf}]/u;

export const isMergeKey = (key: unknown): boolean =>
  isScalar(key) && typeof key.value === 'symbol' && key.value.description === '<<';

/** Resolves an alias to its anchor's node; returns any other node itself. */
export type Resolve = (node: unknown) => unknown;

export const listMergedMaps = (map: YAMLMap, resolve: Resolve): YAMLMap[] =>
  map.items
    .filter(({ key }) => isMergeKey(key))
    .flatMap(({ value }) => {
      const source = resolve(value);
      const sources = isSeq(source) ? source.items.map(resolve) : [source];
      return sources.filter((one) => isMap(one));
    });

/**
 * Reports what YAML would accept silently. A document without an error here becomes plain data in
 * little time and memory.
 */
export function checkNodes(
  document: Document.Parsed,
  lines: LineCounter,
  findings: Findings,
): Resolve {
  const toPlace = (node: unknown): Place => {
    const range = isNode(node) ? node.range : null;
    const { line, col } = range ? lines.linePos(range[0]) : { line: 1, col: 1 };
    return { line, column: col };
  };
  const error = (node: unknown, message: string, hint: string): void =>
    findings.error('yaml-syntax', toPlace(node), message, hint);
  /** By anchor: its value, and the number of values in it; null while it is read. */
  const anchors = new Map<string, { node: Node; size: number | null }>();
  const targets = new Map<Alias, Node>();
  // The parser's own search starts at the top of the document for every alias.
  const resolve: Resolve = (node) => (isAlias(node) ? targets.get(node) : node);
  let aliasCount = 0;

  const ofAlias = (alias: Alias): number => {
    const { source } = alias;
    const anchor = anchors.get(source);
    if (anchor === undefined)
      error(
        alias,
        `The alias *${source} has no anchor &${source} before it.`,
        'Write the value out, or quote it if it is text.',
      );
    else if (anchor.size === null)
      error(alias, `The alias *${source} is part of its own value.`, 'Write the value out.');
    else targets.set(alias, anchor.node);
    const size = anchor?.size ?? 0;
    const before = aliasCount;
    aliasCount += size;
    if (before <= MAX_ALIASED_VALUES && aliasCount > MAX_ALIASED_VALUES)
      error(
        alias,
        `The aliases of this file expand to more than ${MAX_ALIASED_VALUES} values.`,
        'Write the values out instead of using aliases of aliases.',
      );
    return size;
  };

  // The parser's own check compares every key with every other one.
  const ofMap = (map: YAMLMap): number => {
    const seenNodes = new Set<unknown>();
    let size = 0;
    for (const pair of map.items) {
      size += ofPair(pair);
      if (!isScalar(pair.key) || isMergeKey(pair.key)) continue;
      if (seenNodes.has(pair.key.value))
        error(
          pair.key,
          'This key is given twice in the same map.',
          'Keep one of them. If a new list item begins here, write a dash before it.',
        );
      seenNodes.add(pair.key.value);
    }
    return size;
  };

  const ofPair = ({ key, value }: Pair): number => {
    if (isMergeKey(key)) {
      const size = ofNode(value);
      const sources = isSeq(value) ? value.items : [value];
      const wrong = sources.find((one) => !isMap(resolve(one)));
      if (wrong !== undefined)
        error(
          wrong ?? key,
          'The merge key << takes the keys of a map, but this is not one.',
          'Write the alias of a map, such as `<<: *coding`.',
        );
      return size;
    }
    if (!isScalar(key) || typeof key.value !== 'string')
      error(
        key,
        'A key is not plain text.',
        'Write every key as a word; quote it if it is a number.',
      );
    else if (HIDDEN.test(key.value))
      error(
        key,
        `The key contains ${describeCodePoint(HIDDEN.exec(key.value)?.[0] ?? '')}, which is invisible or looks like a space.`,
        'Replace it with a space, or remove it.',
      );
    else if (key.value === '__proto__') error(key, 'The key __proto__ is refused.', 'Remove it.');
    return ofNode(key) + ofNode(value);
  };

  const ofNode = (node: unknown): number => {
    if (isAlias(node)) return ofAlias(node);
    if (!isNode(node)) return 1;
    const { anchor, tag } = node as Node & { anchor?: string };
    if (tag !== undefined)
      error(node, `The tag ${tag} is refused.`, 'Write plain values, without tags.');
    if (anchor !== undefined) anchors.set(anchor, { node, size: null });
    const size = isMap(node)
      ? 1 + ofMap(node)
      : isCollection(node)
        ? node.items.reduce<number>(
            (sum, item) => sum + (isPair(item) ? ofPair(item) : ofNode(item)),
            1,
          )
        : 1;
    if (anchor !== undefined) anchors.set(anchor, { node, size });
    return size;
  };
  ofNode(document.contents);
  return resolve;
}
