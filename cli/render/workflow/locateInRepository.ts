import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { STDIN_NAME } from '../../../src/workflows/overlay/stdinName.ts';

/** The root of the repository that a path is in: the nearest folder with `.git`; null = none. */
export function findRepositoryRoot(path: string): string | null {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return null;
  }
}

export interface RepositoryPlace {
  /** Folder of the repository; null = the file is in none, or was given on standard input. */
  root: string | null;
  /** Path from that root with `/`; without a root as it was given. */
  path: string;
}

/** A file by its path from the root of its repository, however it was given. */
export function locateInRepository(file: string): RepositoryPlace {
  const root = file === STDIN_NAME ? null : findRepositoryRoot(dirname(resolve(file)));
  if (root === null) return { root, path: file };
  const path = relative(root, resolve(file)).split(sep).join('/');
  return isAbsolute(path) ? { root: null, path: file } : { root, path };
}
