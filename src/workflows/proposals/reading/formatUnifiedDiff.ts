import { diffIndices } from 'node-diff3';
import { countAlikeLines, canCompare, splitLines } from './lineComparison.ts';

/** Unchanged lines shown around a change. */
const AROUND = 3;

/** A change of lines: its start in both texts, from 0, and the lines. */
interface Hunk {
  from: number;
  removed: readonly string[];
  to: number;
  added: readonly string[];
}

function findHunks(before: readonly string[], after: readonly string[]): Hunk[] {
  const { first, last } = countAlikeLines(before, after);
  const [a, b] = [
    before.slice(first, before.length - last),
    after.slice(first, after.length - last),
  ];
  if (a.length === 0 && b.length === 0) return [];
  if (!canCompare(a, b)) return [{ from: first, removed: a, to: first, added: b }];
  return diffIndices(a, b).map(({ buffer1, buffer1Content, buffer2, buffer2Content }) => ({
    from: first + buffer1[0],
    removed: buffer1Content,
    to: first + buffer2[0],
    added: buffer2Content,
  }));
}

function groupHunks(changes: readonly Hunk[]): Hunk[][] {
  const groups: Hunk[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const change of changes) {
    if (change.from - end > 2 * AROUND) groups.push([]);
    groups.at(-1)?.push(change);
    end = change.from + change.removed.length;
  }
  return groups;
}

const formatHunkRange = (start: number, length: number): string =>
  `${length === 0 ? start : start + 1},${length}`;

function formatHunkGroup(group: readonly Hunk[], before: readonly string[]): string[] {
  const [head, tail] = [group[0], group.at(-1)];
  if (!head || !tail) return [];
  const start = Math.max(0, head.from - AROUND);
  const end = Math.min(before.length, tail.from + tail.removed.length + AROUND);
  const lines: string[] = [];
  let at = start;
  let growth = 0;
  for (const { from, removed, added } of group) {
    lines.push(...before.slice(at, from).map((line) => ` ${line}`));
    lines.push(...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`));
    at = from + removed.length;
    growth += added.length - removed.length;
  }
  lines.push(...before.slice(at, end).map((line) => ` ${line}`));
  const to = head.to - (head.from - start);
  const length = end - start;
  return [
    `@@ -${formatHunkRange(start, length)} +${formatHunkRange(to, length + growth)} @@`,
    ...lines,
  ];
}

/** The lines of a text; a final line break begins no further line. */
const splitTextLines = (text: string | null): string[] => {
  const lines = text === null ? [] : splitLines(text);
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

/**
 * The change of a file in git's form; empty if only the final line break changes. `null`: no file.
 */
export function formatUnifiedDiff(
  path: string,
  before: string | null,
  after: string | null,
): string {
  const [from, to] = [splitTextLines(before), splitTextLines(after)];
  const hunks = groupHunks(findHunks(from, to)).flatMap((group) => formatHunkGroup(group, from));
  if (hunks.length === 0) return '';
  return `${[
    `diff --git a/${path} b/${path}`,
    ...(before === null ? ['new file mode 100644'] : []),
    ...(after === null ? ['deleted file mode 100644'] : []),
    `--- ${before === null ? '/dev/null' : `a/${path}`}`,
    `+++ ${after === null ? '/dev/null' : `b/${path}`}`,
    ...hunks,
  ].join('\n')}\n`;
}
