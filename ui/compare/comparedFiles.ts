import type { DiffFile } from '../jobs/changes/diff/diffFile.ts';

/** A file that at least one of two jobs changes. */
export interface ComparedFile {
  path: string;
  /** What each job changes in it; null = nothing. */
  changes: readonly [DiffFile | null, DiffFile | null];
  /** Both change it in the same way. */
  isSame: boolean;
}

const findFile = (files: readonly DiffFile[], path: string): DiffFile | null =>
  files.find((file) => file.path === path) ?? null;

/** The files of two changes by path. */
export const compareChangedFiles = (
  a: readonly DiffFile[],
  b: readonly DiffFile[],
): ComparedFile[] =>
  [...new Set([...a, ...b].map(({ path }) => path))].sort().map((path) => {
    const changes = [findFile(a, path), findFile(b, path)] as const;
    return { path, changes, isSame: changes[0]?.hash === changes[1]?.hash };
  });

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

/** The lines of a change with their signs, without their numbers, which depend on the rest of the file. */
export const formatChangedLines = ({ lines }: Pick<DiffFile, 'lines'>): string =>
  lines.flatMap(({ kind, text }) => (kind === 'hunk' ? [] : [`${SIGNS[kind]}${text}`])).join('\n');
