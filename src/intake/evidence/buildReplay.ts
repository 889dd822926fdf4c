import { MAX_REPLAYED_CHARS } from '../../shared/limits/intakeLimits.ts';
import {
  type EvidenceItem,
  formatEvidenceBlock,
  toEvidenceId,
  formatSamePointer,
} from './evidenceItem.ts';
import { parseNumberedLines } from './numberedLines.ts';

/** What the model was shown before, by sha256 of the text: its id. */
export type ShownTexts = ReadonlyMap<string, string>;

const isFilePart = ({ path, fromLine, toLine, ok }: EvidenceItem): boolean =>
  ok && path !== null && fromLine !== null && toLine !== null;

const isSameFile = (one: EvidenceItem, other: EvidenceItem): boolean =>
  one.repo === other.repo && one.commit === other.commit && one.path === other.path;

/** Lines of one file that overlap or meet. */
const areTouching = (one: EvidenceItem, other: EvidenceItem): boolean =>
  (one.fromLine ?? 0) <= (other.toLine ?? 0) + 1 && (other.fromLine ?? 0) <= (one.toLine ?? 0) + 1;

/** Two looks at one file as one, under the id of the first. */
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

/** Looks at overlapping lines of one file become one item, at the place of the first. */
function mergeOverlappingLooks(items: readonly EvidenceItem[]): EvidenceItem[] {
  const result: EvidenceItem[] = [];
  for (const item of items) {
    const at = isFilePart(item)
      ? result.findIndex(
          (one) => isFilePart(one) && isSameFile(one, item) && areTouching(one, item),
        )
      : -1;
    const known = result[at];
    if (known) result[at] = joinLooks(known, item);
    else result.push(item);
  }
  return result;
}

/**
 * What a turn has looked up, as later turns are sent it: one text whose bytes stay the same until
 * it is folded. Equal texts are shown once, `shown` are those of earlier turns. null = nothing was
 * looked up.
 */
export function buildReplay(
  items: readonly EvidenceItem[],
  key: string,
  shown: ShownTexts,
): string | null {
  if (items.length === 0) return null;
  const known = new Map(shown);
  const blocks = mergeOverlappingLooks(items).map((item) => {
    const as = known.get(item.sha256);
    if (as !== undefined) return formatSamePointer(item, key, as);
    known.set(item.sha256, toEvidenceId(item));
    return formatEvidenceBlock(item, key, MAX_REPLAYED_CHARS);
  });
  return blocks.join('\n');
}
