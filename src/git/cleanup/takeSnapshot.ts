import { copyFile, lstat, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SvcError } from '../../base/errors/errors.ts';
import { TRANSFER_TIMEOUT_MS } from '../checkout.ts';
import { runGit, type RunGitOptions } from '../runGit.ts';
import { showRawPath } from '../rawPaths.ts';
import { copyExcludes } from '../copyExcludes.ts';
import { copyShallow } from '../shallow.ts';
import { isRepositoryAt, listSubmodulePaths, stageAllFiles } from '../stageAllFiles.ts';
import type { LocalRef } from './listLocalRefs.ts';

export const SNAPSHOT_FOLDER = 'svc-gc-';

export interface SnapshotRequest {
  checkoutDir: string;
  /** Repository whose objects are not written again. */
  gitDir: string;
  /** Commit of the checkout's HEAD; null = none. */
  head: string | null;
  /** Epoch ms of the commits, so that a repeat makes the same ones. */
  at: number;
  message: string;
}

/** Commits of a checkout's uncommitted files, in a repository of their own. */
export class Snapshot {
  readonly refs: LocalRef[];
  /** A bare repository; every ref of {@link refs} is in it. */
  readonly dir: string;

  constructor(dir: string, refs: LocalRef[]) {
    this.dir = dir;
    this.refs = refs;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.dir, { recursive: true, force: true });
  }
}

/**
 * Runs git in the repository of the snapshot with svc's configuration, so neither filters nor hooks
 * of the checkout run.
 */
const createSnapshotGit = (dir: string, at: number, index: string) => {
  const date = `${Math.floor(at / 1000)} +0000`;
  const env = { GIT_INDEX_FILE: join(dir, index), GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  return async (args: readonly string[], more: RunGitOptions = {}) =>
    runGit(['--git-dir', dir, ...args], { ...more, env, timeoutMs: TRANSFER_TIMEOUT_MS });
};

type Git = ReturnType<typeof createSnapshotGit>;

/** The tracked files as they are, and those that are neither tracked nor ignored. */
async function writeFilesTree(
  git: Git,
  { checkoutDir, head }: SnapshotRequest,
): Promise<{ files: string; committed: string }> {
  await git(head === null ? ['read-tree', '--empty'] : ['read-tree', head]);
  // Passes through the index too, because git normalizes obsolete modes.
  const treeId = (await git(['write-tree'])).stdout.trim();
  const inTree: Git = (args, more) =>
    git(['--work-tree', checkoutDir, '-c', 'core.bare=false', ...args], {
      cwd: checkoutDir,
      ...more,
    });
  await stageAllFiles(inTree, checkoutDir);
  for (const path of await listSubmodulePaths(git))
    if (await isRepositoryAt(checkoutDir, path))
      throw new SvcError('conflict', `it contains another git repository: ${showRawPath(path)}`);
  return { files: (await git(['write-tree'])).stdout.trim(), committed: treeId };
}

/**
 * The index of the checkout; null = none exists, or a merge is in progress: then the files hold
 * everything.
 */
async function writeStagedTree(dir: string, git: Git, checkoutDir: string): Promise<string | null> {
  const file = join(checkoutDir, '.git', 'index');
  if (!(await lstat(file).catch(() => null))?.isFile()) return null;
  await copyFile(file, join(dir, 'staged'));
  const { stdout, exitCode } = await git(['write-tree'], { answers: [128] });
  return exitCode === 0 ? stdout.trim() : null;
}

/**
 * Commits the files of a checkout, and its index where that holds something else, without changing
 * anything in it. Throws SvcError for what git cannot read, and for a repository inside of the
 * checkout.
 */
export async function takeSnapshot(request: SnapshotRequest): Promise<Snapshot> {
  const { checkoutDir, gitDir, head, at, message } = request;
  const dir = await mkdtemp(join(tmpdir(), SNAPSHOT_FOLDER));
  try {
    await runGit(['init', '--quiet', '--bare', '--template=', dir]);
    const places = [join(gitDir, 'objects'), join(checkoutDir, '.git', 'objects')];
    await writeFile(
      join(dir, 'objects', 'info', 'alternates'),
      places.map((place) => `${place}\n`).join(''),
    );
    await copyShallow([gitDir, join(checkoutDir, '.git')], dir);
    await copyExcludes(join(checkoutDir, '.git'), dir);
    const git = createSnapshotGit(dir, at, 'files');
    const { files, committed } = await writeFilesTree(git, request);
    const stagedTreeId = await writeStagedTree(
      dir,
      createSnapshotGit(dir, at, 'staged'),
      checkoutDir,
    );
    const refs: LocalRef[] = [];
    for (const [tree, name, what] of [
      [files, 'files', 'files'],
      [stagedTreeId, 'staged', 'staged files'],
    ] as const) {
      if (tree === null || tree === committed || (name === 'staged' && tree === files)) continue;
      const parent = head === null ? [] : ['-p', head];
      const commit = (
        await git(['commit-tree', tree, ...parent, '-m', `${message} (${what})`])
      ).stdout.trim();
      await git(['update-ref', `refs/svc/${name}`, commit]);
      refs.push({ commit, source: `refs/svc/${name}`, name, what });
    }
    return new Snapshot(dir, refs);
  } catch (error) {
    await rm(dir, { recursive: true, force: true });
    throw error;
  }
}
