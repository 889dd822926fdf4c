import { findErrorCode } from '../base/errors/findErrorCode.ts';
import { quotePosixWord } from '../base/text/quotePosixWord.ts';
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The first characters of a file that `git bundle` has written. */
const BUNDLE = '# v';

const DENIED = new Set(['EACCES', 'EPERM']);

const readSystemErrorCode = (error: unknown): string => findErrorCode(error) ?? '';

function findDiskRefusal(path: string): string | null {
  try {
    statSync(path);
    return null;
  } catch (error) {
    return readSystemErrorCode(error);
  }
}

const isBundle = (file: string): boolean => {
  const start = Buffer.alloc(BUNDLE.length);
  try {
    const open = openSync(file, 'r');
    readSync(open, start, 0, start.length, 0);
    closeSync(open);
  } catch {
    return false;
  }
  return start.toString('latin1') === BUNDLE;
};

function findRepositoryAbove(path: string): string | null {
  for (let dir = dirname(path); dir !== dirname(dir); dir = dirname(dir))
    if (existsSync(join(dir, '.git'))) return dir;
  return null;
}

const isSymbolicLinkPath = (path: string): boolean => {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
};

function explainDotGit(path: string): string | null {
  const dotGit = join(path, '.git');
  const stats = lstatSync(dotGit, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (findDiskRefusal(dotGit) !== null)
    return 'has a .git that is a broken link: bring back what it points to, or clone the repository again';
  if (stats.isFile()) {
    const gitDir = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, 'utf8').trim())?.[1];
    const target = gitDir === undefined ? null : resolve(path, gitDir);
    return target === null
      ? 'has a .git that is a file without a "gitdir:" line: clone the repository again'
      : `is a working tree whose repository is no longer at ${target}: restore it, or, if the repository was moved, run \`git worktree repair ${quotePosixWord(path)}\` in it`;
  }
  return 'has an incomplete .git (HEAD or objects is missing): restore it, or clone the repository again';
}

/** Why no repository is at an absolute path, as the rest of a sentence, with what to do. */
export function explainNoRepository(path: string): string {
  // Access to a folder decides about everything below it.
  const places = [path, join(path, '.git', 'HEAD'), join(path, 'HEAD')];
  if (places.some((place) => DENIED.has(findDiskRefusal(place) ?? '')))
    return `cannot be read by the user of the runner: run the runner as its owner, or give it to the runner's user: chown -R "$(id -u)" ${quotePosixWord(path)}`;
  if (findDiskRefusal(path) !== null)
    return isSymbolicLinkPath(path)
      ? 'is a broken link: bring back what it points to, or correct the path'
      : 'does not exist';
  if (!statSync(path).isDirectory())
    return isBundle(path)
      ? `is a git bundle, and svc needs a repository: clone it (git clone ${quotePosixWord(path)} <folder>) and name that folder`
      : 'is a file, and svc needs the folder of a git repository';
  const dotGit = explainDotGit(path);
  if (dotGit !== null) return dotGit;
  const above = findRepositoryAbove(path);
  return above === null
    ? 'is not a git repository (run `git init` in it)'
    : `is not a git repository, but a folder of the repository ${above}: name that one`;
}
