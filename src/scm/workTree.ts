import { existsSync, lstatSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SvcError } from '../lib/errors.ts';
import { runGit } from './git.ts';
import type { Repository } from './repository.ts';

/** Most file names that an error lists. */
const MAX_NAMED_FILES = 20;

const inTree = (dir: string, args: readonly string[], options: Parameters<typeof runGit>[1] = {}) => runGit(args, { cwd: dir, ...options });

const pathsOf = (text: string): string[] => text.split('\0').filter((path) => path !== '');

/** Folders where the branch is checked out: the repository's own working tree or linked ones; a deleted folder does not count. */
export async function workTreesOn({ gitDir }: Repository, branch: string): Promise<string[]> {
  const { stdout } = await runGit(['--git-dir', gitDir, 'worktree', 'list', '--porcelain']);
  return stdout
    .split('\n\n')
    .map((block) => block.trim().split('\n'))
    .filter((lines) => lines.includes(`branch refs/heads/${branch}`) && !lines.includes('bare'))
    .map(([first]) => first?.replace(/^worktree /, '') ?? '')
    .filter((dir) => existsSync(dir));
}

const inTheWay = (dir: string, branch: string, files: readonly string[]): SvcError => {
  const named = files.slice(0, MAX_NAMED_FILES).join(', ');
  const more = files.length > MAX_NAMED_FILES ? ` and ${files.length - MAX_NAMED_FILES} more` : '';
  return new SvcError(
    'conflict',
    `${branch} is checked out in ${dir}, and these files there are in the way: ${named}${more}. Commit, stash or move them, then merge again.`,
    { data: { files } },
  );
};

/**
 * Throws SvcError `conflict` (data.files) when the working tree cannot go from one commit to the other without losing
 * something: changed or staged files, or untracked ones where the other commit has a file.
 */
export async function assertCanFollow(dir: string, branch: string, from: string, to: string): Promise<void> {
  const changed = await changedFiles(dir);
  if (changed.length > 0) throw inTheWay(dir, branch, changed);
  const { exitCode, stderr } = await inTree(dir, ['read-tree', '-m', '-u', '--dry-run', from, to], { answers: [128] });
  if (exitCode === 0) return;
  const named = [...stderr.matchAll(/'([^'\n]+)'/g)].flatMap(([, file]) => file ?? []);
  throw inTheWay(dir, branch, named.length > 0 ? named : [stderr.trim()]);
}

/** Tracked files that differ from HEAD, in the index or on disk. Also refreshes the index, which read-tree relies on. */
async function changedFiles(dir: string): Promise<string[]> {
  const { stdout } = await inTree(dir, ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=no', '--ignore-submodules=all']);
  return pathsOf(stdout).map((line) => line.slice(3));
}

/** Brings a working tree that is clean at `from` to `to`. Throws when git refuses. */
export const follow = async (dir: string, from: string, to: string): Promise<void> => {
  await inTree(dir, ['read-tree', '-m', '-u', from, to]);
};

/**
 * Finishes what a crash cut off between moving the branch and {@link follow}: a working tree where every file is as in
 * `from` or as in `to` is brought to `to`. One where somebody has changed something is left alone. True when it is at `to` now.
 */
export async function catchUp(dir: string, from: string, to: string): Promise<boolean> {
  if ((await changedFiles(dir)).length === 0) return true;
  const list = async (args: readonly string[]) => new Set(pathsOf((await inTree(dir, [...args, '-z'])).stdout));
  const stagedSinceFrom = await list(['diff-index', '--cached', '--name-only', '--ignore-submodules=all', from]);
  const stagedSinceTo = await list(['diff-index', '--cached', '--name-only', '--ignore-submodules=all', to]);
  if ([...stagedSinceFrom].some((path) => stagedSinceTo.has(path))) return false;

  const onlyInTo = await list(['diff-tree', '-r', '--no-renames', '--name-only', '--diff-filter=A', from, to]);
  const onlyInFrom = await list(['diff-tree', '-r', '--no-renames', '--name-only', '--diff-filter=D', from, to]);
  const [sinceFrom, sinceTo] = [await differences(dir, from), await differences(dir, to)];
  const isAsIn = (path: string, changed: ReadonlySet<string>, absent: ReadonlySet<string>) =>
    absent.has(path) ? lstatSync(join(dir, path), { throwIfNoEntry: false }) === undefined : !changed.has(path);
  const foreign = [...sinceFrom, ...sinceTo].some((path) => !isAsIn(path, sinceFrom, onlyInTo) && !isAsIn(path, sinceTo, onlyInFrom));
  if (foreign) return false;
  await inTree(dir, ['read-tree', '--reset', '-u', to]);
  return true;
}

/** Files of a commit that are otherwise on disk, or missing there. */
async function differences(dir: string, commit: string): Promise<Set<string>> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-index-'));
  try {
    // A private index: the real one may hold what a person has staged.
    const env = { GIT_INDEX_FILE: join(folder, 'index') };
    await inTree(dir, ['read-tree', commit], { env });
    return new Set(pathsOf((await inTree(dir, ['diff-files', '--name-only', '-z', '--ignore-submodules=all'], { env })).stdout));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
