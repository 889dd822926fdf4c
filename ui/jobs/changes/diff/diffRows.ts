import type { DiffFile, DiffLine } from './diffFile.ts';

/** A row of a file's changes: the head of a hunk, one line, or a line before and after its change. */
export type DiffRow =
  | { kind: 'hunk'; line: DiffLine }
  | { kind: 'one'; line: DiffLine }
  | { kind: 'two'; left: DiffLine | null; right: DiffLine | null };

/** Removed lines that are directly followed by added ones. */
interface Change {
  removed: DiffLine[];
  added: DiffLine[];
}

/** The rows of a file in order: `same` for a line that did not change. */
function* splitIntoChanges(
  lines: readonly DiffLine[],
): Generator<{ same: DiffLine } | { hunk: DiffLine } | Change> {
  let change: Change = { removed: [], added: [] };
  for (const line of lines) {
    if (line.kind === 'removed' && change.added.length > 0) {
      yield change;
      change = { removed: [], added: [] };
    }
    if (line.kind === 'removed') change.removed.push(line);
    else if (line.kind === 'added') change.added.push(line);
    else {
      if (change.removed.length + change.added.length > 0) yield change;
      change = { removed: [], added: [] };
      yield line.kind === 'hunk' ? { hunk: line } : { same: line };
    }
  }
  if (change.removed.length + change.added.length > 0) yield change;
}

/** A file's changes one below the other, or side by side. */
export function buildDiffRows({ lines }: Pick<DiffFile, 'lines'>, split: boolean): DiffRow[] {
  if (!split) return lines.map((line) => ({ kind: line.kind === 'hunk' ? 'hunk' : 'one', line }));
  const rows: DiffRow[] = [];
  for (const part of splitIntoChanges(lines)) {
    if ('hunk' in part) rows.push({ kind: 'hunk', line: part.hunk });
    else if ('same' in part) rows.push({ kind: 'two', left: part.same, right: part.same });
    else
      for (let at = 0; at < Math.max(part.removed.length, part.added.length); at++)
        rows.push({ kind: 'two', left: part.removed[at] ?? null, right: part.added[at] ?? null });
  }
  return rows;
}

/** For each line of a change the one that it was or became. */
export function pairChangedLines({ lines }: Pick<DiffFile, 'lines'>): Map<DiffLine, DiffLine> {
  const pairs = new Map<DiffLine, DiffLine>();
  for (const part of splitIntoChanges(lines))
    if ('removed' in part)
      part.removed.forEach((line, at) => {
        const other = part.added[at];
        if (other) pairs.set(line, other).set(other, line);
      });
  return pairs;
}

/** The lines of a row: two where it shows them side by side and they differ. */
export function listRowLines(row: DiffRow): DiffLine[] {
  if (row.kind !== 'two') return [row.line];
  return [row.left, row.right === row.left ? null : row.right].filter((line) => line !== null);
}
