import { readDiffPath } from '../../shared/text/readDiffPath.ts';
import { showQuoted } from '../../shared/text/pathNames.ts';
import type { ReviewComment } from '../../contract/forge/review.ts';

/** The lines of one file that a diff shows. */
export interface DiffPlaces {
  /** Its path before the change. */
  from: string;
  /** Numbers of the lines after the change; with the number before it, null for an added line. */
  after: ReadonlyMap<number, number | null>;
  /** The same for the lines before the change; null for a removed line. */
  before: ReadonlyMap<number, number | null>;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** The lines that a unified diff shows, by the path after the change. */
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

/** Why the diff has no place for a comment; null = it has. An answer needs none. */
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
