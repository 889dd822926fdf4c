import { existsSync, lstatSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SvcError } from '../lib/errors.ts';
import { gitProblem } from './gitProblem.ts';
import { runGit } from './git.ts';
import type { Repository } from './repository.ts';

/** Most file names that an error lists. */
const MAX_NAMED_FILES = 20;

const inTree = (dir: string, args: readonly string[], options: Parameters<typeof runGit>[1] = {}) =>
  runGit(args, { cwd: dir, ...options });

const pathsOf = (text: string): string[] => text.split('\0').filter((path) => path !== '');

/**
 * Folders where the branch is checked out: the repository's own working tree or linked ones; a
 * deleted folder does not count.
 */
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
 * Throws SvcError `conflict` (data.files) when the working tree cannot go from one commit to the
 * other without losing something: changed or staged files, or untracked ones (ignored ones too)
 * where the other commit has a file.
 */
export async function assertCanFollow(
  dir: string,
  branch: string,
  from: string,
  to: string,
): Promise<void> {
  const changed = await changedFiles(dir);
  if (changed.length > 0) throw inTheWay(dir, branch, changed);
  const untracked = await untrackedInTheWay(dir, from, to);
  if (untracked.length > 0) throw inTheWay(dir, branch, untracked);
  const { exitCode, stderr } = await inTree(dir, ['read-tree', '-m', '-u', '--dry-run', from, to], {
    answers: [128],
  });
  if (exitCode !== 0)
    throw gitProblem('git read-tree', stderr) ?? inTheWay(dir, branch, [stderr.trim()]);
}

const onDisk = (dir: string, path: string) => lstatSync(join(dir, path), { throwIfNoEntry: false });

/**
 * Looked up here because git takes ignored files for worthless and overwrites them; a `.env` is
 * not.
 */
async function untrackedInTheWay(dir: string, from: string, to: string): Promise<string[]> {
  const removed = await namesOf(dir, from, to, 'D');
  const found = new Set<string>();
  for (const path of await namesOf(dir, from, to, 'A')) {
    const parent = fileAbove(dir, path, removed);
    if (parent !== undefined) found.add(parent);
    const there = onDisk(dir, path);
    if (!there?.isDirectory()) {
      if (there) found.add(path);
      continue;
    }
    const { stdout } = await inTree(dir, ['ls-files', '--others', '-z', '--', `:(literal)${path}`]);
    for (const file of pathsOf(stdout)) found.add(file);
  }
  return [...found];
}

/** A file on disk where the path needs a folder, unless it goes away with the same step. */
const fileAbove = (dir: string, path: string, removed: ReadonlySet<string>): string | undefined => {
  const names = path.split('/');
  const parents = names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
  return parents.find(
    (parent) => !removed.has(parent) && onDisk(dir, parent)?.isDirectory() === false,
  );
};

/** Paths that are added (`A`) or deleted (`D`) between two commits. */
const namesOf = async (
  dir: string,
  from: string,
  to: string,
  filter: 'A' | 'D',
): Promise<Set<string>> =>
  new Set(
    pathsOf(
      (
        await inTree(dir, [
          'diff-tree',
          '-r',
          '--no-renames',
          '--name-only',
          `--diff-filter=${filter}`,
          '-z',
          from,
          to,
        ])
      ).stdout,
    ),
  );

/**
 * Tracked files that differ from HEAD, in the index or on disk. Also refreshes the index, which
 * read-tree relies on.
 */
async function changedFiles(dir: string): Promise<string[]> {
  const { stdout } = await inTree(dir, [
    'status',
    '--porcelain=v1',
    '-z',
    '--no-renames',
    '--untracked-files=no',
    '--ignore-submodules=all',
  ]);
  return pathsOf(stdout).map((line) => line.slice(3));
}

/** Brings a working tree that is clean at `from` to `to`. Throws when git refuses. */
export const follow = async (dir: string, from: string, to: string): Promise<void> => {
  await inTree(dir, ['read-tree', '-m', '-u', from, to]);
};

/**
 * Finishes what a crash cut off between moving the branch and {@link follow}: a working tree where
 * every file is as in `from` or as in `to` is brought to `to`. One with other changes is left
 * alone. True when it is at `to` now.
 */
export async function catchUp(dir: string, from: string, to: string): Promise<boolean> {
  if ((await changedFiles(dir)).length === 0) return true;
  const staged = async (commit: string) =>
    pathsOf(
      (
        await inTree(dir, [
          'diff-index',
          '--cached',
          '--name-only',
          '--ignore-submodules=all',
          '-z',
          commit,
        ])
      ).stdout,
    );
  const stagedSinceTo = new Set(await staged(to));
  if ((await staged(from)).some((path) => stagedSinceTo.has(path))) return false;

  const [onlyInTo, onlyInFrom] = [
    await namesOf(dir, from, to, 'A'),
    await namesOf(dir, from, to, 'D'),
  ];
  const [sinceFrom, sinceTo] = [await differences(dir, from), await differences(dir, to)];
  const isAsIn = (path: string, changed: ReadonlySet<string>, absent: ReadonlySet<string>) =>
    absent.has(path) ? onDisk(dir, path) === undefined : !changed.has(path);
  const foreign =
    [...sinceFrom, ...sinceTo].some(
      (path) => !isAsIn(path, sinceFrom, onlyInTo) && !isAsIn(path, sinceTo, onlyInFrom),
    ) || [...onlyInTo].some((path) => fileAbove(dir, path, onlyInFrom) !== undefined);
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
    // Compares contents; without it every file that has no times in the index yet would count as
    // changed.
    await inTree(dir, ['update-index', '-q', '--really-refresh'], { env, answers: [1] });
    return new Set(
      pathsOf(
        (await inTree(dir, ['diff-files', '--name-only', '-z', '--ignore-submodules=all'], { env }))
          .stdout,
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
