import { readDiffPath } from '../../base/text/readDiffPath.ts';
import { showQuoted } from '../../base/text/pathNames.ts';
import type { ReviewComment } from '../../contract/forge/review.ts';

export interface DiffPlaces {
  /** Its path before the change. */
  from: string;
  /** Line numbers after the change → before it, or null for an added line. */
  after: ReadonlyMap<number, number | null>;
  /** Line numbers before the change → after it, or null for a removed line. */
  before: ReadonlyMap<number, number | null>;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

export function readDiffPlaces(diff: string): Map<string, DiffPlaces> {
  const files = new Map<string, DiffPlaces>();
  let [from, to]: [string, string] = ['', ''];
  let [before, after] = [0, 0];
  let [lines, old] = [new Map<number, number | null>(), new Map<number, number | null>()];
  let inHunk = false;
  const begin = (): void => {
    [lines, old] = [new Map(), new Map()];
    files.set(to, { from, after: lines, before: old });
  };
  for (const line of diff.split('\n')) {
    const hunk = HUNK.exec(line);
    if (line.startsWith('diff --git ')) {
      to = readDiffPath(/ ("?b\/.*)$/.exec(line)?.[1] ?? '');
      from = to;
      inHunk = false;
      begin();
    } else if (hunk) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      inHunk = true;
    } else if (!inHunk) {
      if (line.startsWith('rename from ')) from = showQuoted(line.slice('rename from '.length));
      else if (line.startsWith('--- ') && line !== '--- /dev/null')
        from = readDiffPath(line.slice(4));
      else if (line.startsWith('+++ ') && line !== '+++ /dev/null') {
        files.delete(to);
        to = readDiffPath(line.slice(4));
      } else continue;
      begin();
    } else if (line.startsWith('+')) lines.set(after++, null);
    else if (line.startsWith('-')) old.set(before++, null);
    else if (line.startsWith(' ')) {
      lines.set(after, before);
      old.set(before++, after++);
    }
  }
  return files;
}

/** Why a comment has no place in the diff; null = it has one. A reply needs none. */
export function explainMissingPlace(
  files: ReadonlyMap<string, DiffPlaces>,
  { path, line, startLine, side, replyTo }: ReviewComment,
): string | null {
  if (replyTo !== null) return null;
  const file = files.get(path);
  if (!file) return `${path} is not among the changed files`;
  const outside = [startLine, line].find((one) => one !== null && !file[side].has(one));
  return outside == null
    ? null
    : `line ${outside} of ${path} ${side} the change is not part of the diff`;
}
