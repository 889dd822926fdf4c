import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { showPath } from '../domain/pathNames.ts';
import { SvcError } from '../lib/errors.ts';
import { DiskPaths } from './diskPaths.ts';
import { gitProblem } from './gitProblem.ts';
import { runGit } from './git.ts';
import { rawPathBytes, showRawPath, splitFields } from './rawPaths.ts';
import type { Repository } from './repository.ts';

/** Most file names that an error lists. */
const MAX_NAMED_FILES = 20;

/** Most bytes of a list of files: 256 MiB. */
const MAX_LIST_BYTES = 256 * 1024 * 1024;

/** In a working tree git sees what its user sees, also replaced objects. Its output is raw bytes. */
const inTree = (dir: string, args: readonly string[], options: Parameters<typeof runGit>[1] = {}) =>
  runGit(args, {
    cwd: dir,
    replaced: true,
    encoding: 'latin1',
    maxBytes: MAX_LIST_BYTES,
    ...options,
  });

/**
 * Folders where the branch is checked out: the repository's own working tree or linked ones; a
 * deleted folder does not count.
 */
export async function workTreesOn({ gitDir }: Repository, branch: string): Promise<string[]> {
  const args = ['--git-dir', gitDir, 'worktree', 'list', '--porcelain', '-z'];
  const { stdout } = await runGit(args, { encoding: 'latin1' });
  const name = `branch refs/heads/${Buffer.from(branch).toString('latin1')}`;
  return stdout
    .split('\0\0')
    .map((block) => splitFields(block))
    .filter((lines) => lines.includes(name) && !lines.includes('bare'))
    .map(([first]) => rawPathBytes(first?.replace(/^worktree /, '') ?? ''))
    .filter((dir) => existsSync(dir))
    .map(checkedDir);
}

/** Programs are started in a folder by its name as text. */
function checkedDir(bytes: Buffer): string {
  const dir = bytes.toString('utf8');
  if (bytes.equals(Buffer.from(dir))) return dir;
  throw new SvcError(
    'conflict',
    `A working tree of the branch is in a folder whose name is not UTF-8, ${showPath(bytes)}, and svc cannot work in it. Move it with \`git worktree move\`.`,
  );
}

const inTheWay = (dir: string, branch: string, paths: readonly string[]): SvcError => {
  const files = paths.map(showRawPath);
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
    throw (
      gitProblem('git read-tree', stderr) ??
      new SvcError(
        'conflict',
        `${branch} is checked out in ${dir}, and git cannot bring the files there to the result: ${stderr.trim()}. Check out another branch there, then merge again.`,
      )
    );
}

/**
 * Looked up here because git takes ignored files for worthless and overwrites them; a `.env` is
 * not.
 */
async function untrackedInTheWay(dir: string, from: string, to: string): Promise<string[]> {
  const disk = new DiskPaths(dir, await namesOf(dir, from, to, 'D'));
  const added = await namesOf(dir, from, to, 'A');
  const found = new Set<string>();
  let tracked: Set<string> | null = null;
  for (const path of added) {
    const there = disk.find(path);
    if (there.kind === 'file') found.add(there.path);
    if (there.kind !== 'folder') continue;
    tracked ??= await trackedFiles(dir);
    for (const file of disk.filesBelow(path)) if (!tracked.has(file)) found.add(file);
  }
  return [...found];
}

const trackedFiles = async (dir: string): Promise<Set<string>> =>
  new Set(splitFields((await inTree(dir, ['ls-files', '-z'])).stdout));

/** Paths that are added (`A`) or deleted (`D`) between two commits. */
const namesOf = async (
  dir: string,
  from: string,
  to: string,
  filter: 'A' | 'D',
): Promise<Set<string>> =>
  new Set(
    splitFields(
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
  return splitFields(stdout).map((line) => line.slice(3));
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
    splitFields(
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
  const disk = new DiskPaths(dir, onlyInFrom);
  const isAsIn = (path: string, changed: ReadonlySet<string>, absent: ReadonlySet<string>) =>
    absent.has(path) ? !disk.hasEntry(path) : !changed.has(path);
  const foreign =
    [...sinceFrom, ...sinceTo].some(
      (path) => !isAsIn(path, sinceFrom, onlyInTo) && !isAsIn(path, sinceTo, onlyInFrom),
    ) || [...onlyInTo].some((path) => disk.fileAbove(path) !== null);
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
      splitFields(
        (await inTree(dir, ['diff-files', '--name-only', '-z', '--ignore-submodules=all'], { env }))
          .stdout,
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
