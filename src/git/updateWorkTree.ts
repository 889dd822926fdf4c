import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SvcError } from '../base/errors/errors.ts';
import { DiskPaths } from './diskPaths.ts';
import { readFilterAttributes } from './readFilterAttributes.ts';
import { explainGitProblem } from './explainGitProblem.ts';
import { runGit } from './runGit.ts';
import type { GitRunner } from './loadObjects.ts';
import type { FilterUse } from './readPersonSettings.ts';
import { splitFields } from './rawPaths.ts';
import {
  refuseFilteredFiles,
  refuseHiddenChanges,
  refuseFilesInTheWay,
  refuseUncomparableFiles,
} from './treeRefusals.ts';
import type { WorkTree } from './listWorkTreesOn.ts';

const MAX_LIST_BYTES = 256 * 1024 * 1024;

/**
 * Git in a working tree as its user sees it: with replaced objects and the user's settings, but
 * without filters. Its output is raw bytes.
 */
const createTreeGit =
  ({ dir, ownGitDir, settings }: WorkTree): GitRunner =>
  (args, options = {}) =>
    runGit(['--git-dir', ownGitDir, '--work-tree', dir, ...args], {
      cwd: dir,
      replaced: true,
      encoding: 'latin1',
      maxBytes: MAX_LIST_BYTES,
      ...options,
      env: { ...settings.env, ...options.env },
    });

/** A merge into `branch` of a working tree. `head`: the merged commit; `to`: the result. */
export interface TreeMove {
  branch: string;
  head: string;
  from: string;
  to: string;
}

/**
 * Why the working tree cannot go from one commit to the other without losing something (SvcError
 * `conflict`, data.files): changed or staged files, untracked or ignored ones where the other
 * commit has a file, or files that only a person's filter could write or compare. null = nothing is
 * lost.
 */
async function findLoss(
  tree: WorkTree,
  { branch, head, from, to }: TreeMove,
): Promise<SvcError | null> {
  const { dir } = tree;
  const movedPaths = await listDifferingPaths(tree, from, to, 'ACDMT');
  const { certain, unknown } = await findChangedFiles(tree, from, movedPaths);
  if (certain.length > 0) return refuseFilesInTheWay(dir, branch, certain);
  const filteredFiles = await findFilteredFiles(
    tree,
    to,
    [...movedPaths],
    ({ isForWriting }) => isForWriting,
  );
  if (filteredFiles.size > 0) return refuseFilteredFiles(dir, branch, head, filteredFiles);
  if (unknown.length > 0) return refuseUncomparableFiles(dir, branch, unknown);
  const untrackedInTheWay = await findUntrackedInTheWay(tree, from, to);
  return untrackedInTheWay.length > 0 ? refuseFilesInTheWay(dir, branch, untrackedInTheWay) : null;
}

/**
 * As `findLoss`, without writing anything; `to` may be a tree. `objects`: a folder of objects that
 * the repository does not have.
 */
export const foreseeLoss = (
  tree: WorkTree,
  move: TreeMove,
  objects: string,
): Promise<SvcError | null> => {
  const env = { GIT_OPTIONAL_LOCKS: '0', GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
  const settings = { ...tree.settings, env: { ...tree.settings.env, ...env } };
  return findLoss({ ...tree, settings }, move);
};

/** Throws SvcError `conflict` when the move would lose something in the working tree. */
export async function assertCanFollow(tree: WorkTree, move: TreeMove): Promise<void> {
  const { dir } = tree;
  const { branch, from, to } = move;
  const loss = await findLoss(tree, move);
  if (loss !== null) throw loss;
  const { exitCode, stderr } = await createTreeGit(tree)(
    ['read-tree', '-m', '-u', '--dry-run', from, to],
    { answers: [128] },
  );
  if (exitCode === 0) return;
  const blockingEntries = splitEntries(stderr);
  if (blockingEntries.length > 0) throw refuseHiddenChanges(dir, branch, blockingEntries);
  throw (
    explainGitProblem('git read-tree', stderr) ??
    new SvcError(
      'conflict',
      `${branch} is checked out in ${dir}, and git cannot bring the files there to the result: ${stderr.trim()}. Check out another branch there, then merge again.`,
    )
  );
}

/** Files that git reports as changed although `git status` does not show them. */
const splitEntries = (stderr: string): string[] =>
  [...stderr.matchAll(/^error: Entry '(.+)' not uptodate\. Cannot merge\.$/gm)].map(
    ([, path = '']) => path,
  );

/**
 * Checked here because git overwrites ignored files, which it takes for worthless; a `.env` is not.
 */
async function findUntrackedInTheWay(tree: WorkTree, from: string, to: string): Promise<string[]> {
  const disk = new DiskPaths(tree.dir, await listDifferingPaths(tree, from, to, 'D'));
  const addedPaths = await listDifferingPaths(tree, from, to, 'A');
  const changedPaths = new Set<string>();
  let trackedPaths: Set<string> | null = null;
  for (const path of addedPaths) {
    const there = disk.find(path);
    if (there.kind === 'file') changedPaths.add(there.path);
    if (there.kind !== 'folder') continue;
    trackedPaths ??= await listTrackedFiles(tree);
    for (const file of disk.filesBelow(path)) if (!trackedPaths.has(file)) changedPaths.add(file);
  }
  return [...changedPaths];
}

const listTrackedFiles = async (tree: WorkTree): Promise<Set<string>> =>
  new Set(splitFields((await createTreeGit(tree)(['ls-files', '-z'])).stdout));

const listDifferingPaths = async (
  tree: WorkTree,
  from: string,
  to: string,
  letters: 'A' | 'D' | 'ACDMT',
): Promise<Set<string>> =>
  new Set(
    splitFields(
      (
        await createTreeGit(tree)([
          'diff-tree',
          '-r',
          '--no-renames',
          '--name-only',
          `--diff-filter=${letters}`,
          '-z',
          from,
          to,
        ])
      ).stdout,
    ),
  );

/** The files among these that have a filter of this use at a commit, with the filter's name. */
async function findFilteredFiles(
  tree: WorkTree,
  commit: string,
  paths: readonly string[],
  isMeant: (use: FilterUse) => boolean,
): Promise<Map<string, string>> {
  if (!tree.settings.hasFilters) return new Map();
  const filters = await readFilterAttributes(createTreeGit(tree), commit, paths);
  const usedFilters = [...filters].filter(([, name]) => {
    const use = tree.settings.findFilter(name);
    return use !== null && isMeant(use);
  });
  return new Map(usedFilters);
}

interface ChangedFiles {
  certain: string[];
  /**
   * Files with new times whose content only a filter could compare, and that the merge changes too.
   */
  unknown: string[];
}

/**
 * Tracked files that differ from HEAD, in the index or on disk. Also refreshes the index, which
 * read-tree relies on. Files with a filter that the merge does not touch are left out, since they
 * stay as they are.
 */
async function findChangedFiles(
  tree: WorkTree,
  head: string,
  movedPaths: ReadonlySet<string>,
): Promise<ChangedFiles> {
  const { stdout } = await createTreeGit(tree)([
    'status',
    '--porcelain=v1',
    '-z',
    '--no-renames',
    '--untracked-files=no',
    '--ignore-submodules=all',
  ]);
  const lines = splitFields(stdout);
  const onDisk = lines.filter((line) => line.startsWith(' M')).map((line) => line.slice(3));
  const comparedFiles = await findFilteredFiles(
    tree,
    head,
    onDisk,
    ({ isForReading }) => isForReading,
  );
  return {
    certain: lines
      .filter((line) => !line.startsWith(' M') || !comparedFiles.has(line.slice(3)))
      .map((line) => line.slice(3)),
    unknown: [...comparedFiles.keys()].filter((path) => movedPaths.has(path)),
  };
}

/** Brings a working tree that is clean at `from` to `to`. Throws when git refuses. */
export const updateWorkTree = async (tree: WorkTree, from: string, to: string): Promise<void> => {
  await createTreeGit(tree)(['read-tree', '-m', '-u', from, to]);
};

/**
 * Finishes what a crash cut off between moving the branch and {@link updateWorkTree}: a working tree where
 * every file is as in `from` or as in `to` is brought to `to`. One with other changes is left
 * alone. True when it is at `to` now.
 */
export async function catchUpWorkTree(tree: WorkTree, from: string, to: string): Promise<boolean> {
  const movedPaths = await listDifferingPaths(tree, from, to, 'ACDMT');
  const { certain, unknown } = await findChangedFiles(tree, to, movedPaths);
  if (certain.length + unknown.length === 0) return true;
  const listStagedPaths = async (commit: string) =>
    splitFields(
      (
        await createTreeGit(tree)([
          'diff-index',
          '--cached',
          '--name-only',
          '--ignore-submodules=all',
          '-z',
          commit,
        ])
      ).stdout,
    );
  const stagedSinceTo = new Set(await listStagedPaths(to));
  if ((await listStagedPaths(from)).some((path) => stagedSinceTo.has(path))) return false;

  const [onlyInTo, onlyInFrom] = [
    await listDifferingPaths(tree, from, to, 'A'),
    await listDifferingPaths(tree, from, to, 'D'),
  ];
  const [sinceFrom, sinceTo] = [
    await findDiskDifferences(tree, from),
    await findDiskDifferences(tree, to),
  ];
  // Going to `to` would write files that only a filter can write.
  const differing = [...new Set([...sinceFrom, ...sinceTo])];
  const filteredToo = await findFilteredFiles(
    tree,
    to,
    differing,
    ({ isForReading }) => isForReading,
  );
  if (filteredToo.size > 0)
    return updateWorkTree(tree, from, to).then(
      () => true,
      () => false,
    );
  const disk = new DiskPaths(tree.dir, onlyInFrom);
  const isAsIn = (path: string, changedPaths: ReadonlySet<string>, absent: ReadonlySet<string>) =>
    absent.has(path) ? !disk.hasEntry(path) : !changedPaths.has(path);
  const foreign =
    [...sinceFrom, ...sinceTo].some(
      (path) => !isAsIn(path, sinceFrom, onlyInTo) && !isAsIn(path, sinceTo, onlyInFrom),
    ) || [...onlyInTo].some((path) => disk.fileAbove(path) !== null);
  if (foreign) return false;
  await createTreeGit(tree)(['read-tree', '--reset', '-u', to]);
  return true;
}

/** Files of a commit that are different or missing on disk. */
async function findDiskDifferences(tree: WorkTree, commit: string): Promise<Set<string>> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-index-'));
  try {
    // A private index: the real one may hold staged changes.
    const env = { GIT_INDEX_FILE: join(folder, 'index') };
    await createTreeGit(tree)(['read-tree', commit], { env });
    // Compares contents; otherwise every file without times in the index would count as changed.
    await createTreeGit(tree)(['update-index', '-q', '--really-refresh'], { env, answers: [1] });
    return new Set(
      splitFields(
        (
          await createTreeGit(tree)(
            ['diff-files', '--name-only', '-z', '--ignore-submodules=all'],
            {
              env,
            },
          )
        ).stdout,
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
