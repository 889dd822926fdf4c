import { diff3MergeRegions } from 'node-diff3';
import { canCompare, splitLines } from './lineComparison.ts';
import type { MergeConflict } from '../../../contract/schema/workflow/proposal.ts';

const hasSameLines = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, at) => line === b[at]);

/**
 * Merges two changes of a text by lines. Returns the merged text, or every place where both changed
 * the same or adjacent lines in different ways. Texts that would take too long to compare are one
 * conflict.
 */
export function merge3(
  base: string,
  proposedText: string,
  current: string,
): { text: string } | { conflicts: MergeConflict[] } {
  const [a, o, b] = [splitLines(proposedText), splitLines(base), splitLines(current)];
  if (!canCompare(a, o) || !canCompare(o, b))
    return { conflicts: [{ line: 1, base, proposed: proposedText, current }] };
  const joined: string[] = [];
  const conflicts: MergeConflict[] = [];
  for (const region of diff3MergeRegions(a, o, b)) {
    if (region.stable) {
      joined.push(...region.bufferContent);
      continue;
    }
    const { aContent, oContent, bContent } = region;
    if (hasSameLines(aContent, bContent)) joined.push(...aContent);
    else
      conflicts.push({
        line: region.bStart + 1,
        base: oContent.join('\n'),
        proposed: aContent.join('\n'),
        current: bContent.join('\n'),
      });
  }
  return conflicts.length > 0 ? { conflicts } : { text: joined.join('\n') };
}
