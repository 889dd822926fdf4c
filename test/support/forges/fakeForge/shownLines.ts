import type { GitStore } from './gitStore.ts';

/** A file that differs between two commits, with the lines that a diff of it shows. */
export interface ShownFile {
  before: string;
  after: string;
  /** Pairs of line numbers; null = the line is on the other side alone. */
  lines: [before: number | null, after: number | null][];
}

/** What the diff from the common ancestor of `base` and `head` shows. */
export function shownFiles(
  store: GitStore,
  gitDir: string,
  base: string,
  head: string,
): ShownFile[] {
  const git = (...args: string[]) => store.git('--git-dir', gitDir, ...args);
  const range = `${base}...${head}`;
  const names = git('diff', '--name-status', '-z', range).split('\0').slice(0, -1);
  const files: ShownFile[] = [];
  for (let at = 0; at < names.length; ) {
    const [status = '', before = ''] = [names[at], names[at + 1]];
    const isMoved = /^[RC]/.test(status);
    const after = isMoved ? (names[at + 2] ?? '') : before;
    at += isMoved ? 3 : 2;
    const text = git('diff', range, '--', ...new Set([before, after]));
    files.push({ before, after, lines: parseLines(text) });
  }
  return files;
}

function parseLines(diff: string): ShownFile['lines'] {
  const [, ...hunks] = diff.split(/^@@ /m);
  return hunks.flatMap((hunk) => {
    const [head = '', ...body] = hunk.split('\n');
    const [, old, now] = /^-(\d+)(?:,\d+)? \+(\d+)/.exec(head) ?? [];
    let [before, after] = [Number(old), Number(now)];
    return body.flatMap((line): ShownFile['lines'] => {
      if (line.startsWith('+')) return [[null, after++]];
      if (line.startsWith('-')) return [[before++, null]];
      return line.startsWith(' ') ? [[before++, after++]] : [];
    });
  });
}
