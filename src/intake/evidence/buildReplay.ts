import { MAX_REPLAYED_CHARS } from '../../base/limits/intakeLimits.ts';
import {
  type EvidenceItem,
  formatEvidenceBlock,
  toEvidenceId,
  formatSamePointer,
} from './evidenceItem.ts';
import { parseNumberedLines } from './numberedLines.ts';

/** Ids of texts that the model has already seen, by their sha256. */
export type ShownTexts = ReadonlyMap<string, string>;

const isFilePart = ({ path, fromLine, toLine, ok }: EvidenceItem): boolean =>
  ok && path !== null && fromLine !== null && toLine !== null;

const isSameFile = (one: EvidenceItem, other: EvidenceItem): boolean =>
  one.repo === other.repo && one.commit === other.commit && one.path === other.path;

/** Whether the lines of one file overlap or touch. */
const areTouching = (one: EvidenceItem, other: EvidenceItem): boolean =>
  (one.fromLine ?? 0) <= (other.toLine ?? 0) + 1 && (other.fromLine ?? 0) <= (one.toLine ?? 0) + 1;

/** Joins two looks at one file under the id of the first. */
function joinLooks(one: EvidenceItem, other: EvidenceItem): EvidenceItem {
  const lines = new Map([...parseNumberedLines(one.text), ...parseNumberedLines(other.text)]);
  const numbers = [...lines.keys()].sort((a, b) => a - b);
  const [fromLine = 1] = numbers;
  const toLine = numbers.at(-1) ?? fromLine;
  return {
    ...one,
    target: `${one.path}:${fromLine}-${toLine}`,
    fromLine,
    toLine,
    text: numbers.map((number) => lines.get(number) ?? '').join('\n'),
  };
}

/** Joins looks at overlapping lines of a file, at the place of the first. */
function mergeOverlappingLooks(items: readonly EvidenceItem[]): EvidenceItem[] {
  const result: EvidenceItem[] = [];
  for (const item of items) {
    const at = isFilePart(item)
      ? result.findIndex(
          (one) => isFilePart(one) && isSameFile(one, item) && areTouching(one, item),
        )
      : -1;
    const lastItem = result[at];
    if (lastItem) result[at] = joinLooks(lastItem, item);
    else result.push(item);
  }
  return result;
}

/**
 * A turn's evidence for later turns: one text that stays the same, byte for byte, until it is
 * folded. Equal texts appear once; `shownTexts` are those of earlier turns. null = no look-ups.
 */
export function buildReplay(
  items: readonly EvidenceItem[],
  key: string,
  shownTexts: ShownTexts,
): string | null {
  if (items.length === 0) return null;
  const knownTexts = new Map(shownTexts);
  const blocks = mergeOverlappingLooks(items).map((item) => {
    const as = knownTexts.get(item.sha256);
    if (as !== undefined) return formatSamePointer(item, key, as);
    knownTexts.set(item.sha256, toEvidenceId(item));
    return formatEvidenceBlock(item, key, MAX_REPLAYED_CHARS);
  });
  return blocks.join('\n');
}
