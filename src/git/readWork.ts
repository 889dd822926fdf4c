import { createHash } from 'node:crypto';
import { copyFile, lstat, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChangedFiles } from '../contract/schema/policy/decision.ts';
import { runGit } from './runGit.ts';
import { showRawPath } from './rawPaths.ts';
import { copyExcludes } from './copyExcludes.ts';
import { copyShallow } from './shallow.ts';
import { stageAllFiles } from './stageAllFiles.ts';
import { SNAPSHOT_FOLDER } from './cleanup/takeSnapshot.ts';

const MAX_BRANCHES = 200;
const MAX_NAMED_FILES = 20;
const TIMEOUT_MS = 60_000;

interface Refs {
  commits: string[];
  /** Undefined = HEAD has no commit yet. */
  head: string | undefined;
  origin: Map<string, string>;
}

/** Asks as a client would, so that git runs nothing that the checkout names. */
async function readWorkRefs(gitDir: string): Promise<Refs> {
  const { stdout } = await runGit(['ls-remote', '--', gitDir], {
    fileProtocol: true,
    timeoutMs: TIMEOUT_MS,
  });
  const lines = stdout.split('\n');
  const commits = lines.flatMap(
    (line) => /^([0-9a-f]{40,64})\t(?:HEAD|refs\/heads\/\S+)$/.exec(line)?.[1] ?? [],
  );
  const origin = lines.flatMap((line) => {
    const match = /^([0-9a-f]{40,64})\trefs\/remotes\/origin\/(\S+)$/.exec(line);
    return match ? [[match[2] ?? '', match[1] ?? ''] as const] : [];
  });
  const head = lines.flatMap((line) => /^(\S+)\tHEAD$/.exec(line)?.[1] ?? [])[0];
  return { commits: [...new Set(commits)], head, origin: new Map(origin) };
}

/** A line of `--numstat -z`: `added TAB removed TAB path`; binary files have no numbers. */
const NUMBERED = /^(\d+|-)\t(\d+|-)\t([\s\S]+)$/;

function parseChangedFiles(output: string): ChangedFiles {
  const files = output.split('\0').flatMap((line) => {
    const [, added, removed, raw] = NUMBERED.exec(line) ?? [];
    return raw === undefined
      ? []
      : [{ path: showRawPath(raw), added: Number(added) || 0, removed: Number(removed) || 0 }];
  });
  const sum = (of: 'added' | 'removed'): number =>
    files.reduce((total, file) => total + file[of], 0);
  return {
    count: files.length,
    added: sum('added'),
    removed: sum('removed'),
    files: files.slice(0, MAX_NAMED_FILES),
  };
}

export interface Work {
  /**
   * Hash of its files (without ignored ones) and the files of its branches. Commits, messages and
   * branch names alone do not change it.
   */
  hash: string;
  /**
   * How the files differ from the point where the branch left the base; null = the base is not
   * known.
   */
  changed: ChangedFiles | null;
}

/** A checkout's objects and files as a repository of its own, for as long as it is read. */
interface WorkSnapshot {
  refs: Refs;
  /** The tree of its files, without ignored ones. */
  files: string;
  git(args: readonly string[], more?: Parameters<typeof runGit>[1]): ReturnType<typeof runGit>;
}

/**
 * Reads a checkout into the folder `dir`, which becomes a repository that borrows the checkout's objects.
 * Changes nothing in the checkout and runs nothing that it configures. Null = it is not a checkout, or has too
 * many branches. Throws where git cannot read it.
 */
export async function takeWorkSnapshot(
  checkoutDir: string,
  dir: string,
): Promise<WorkSnapshot | null> {
  const gitDir = join(checkoutDir, '.git');
  if (!(await lstat(gitDir)).isDirectory()) return null;
  const refs = await readWorkRefs(gitDir);
  if (refs.commits.length > MAX_BRANCHES) return null;
  await runGit(['init', '--quiet', '--bare', '--template=', dir]);
  await mkdir(join(dir, 'objects', 'info'), { recursive: true });
  await writeFile(join(dir, 'objects', 'info', 'alternates'), `${join(gitDir, 'objects')}\n`);
  await copyShallow([gitDir], dir);
  await copyExcludes(gitDir, dir);
  const index = join(dir, 'files');
  // The checkout's index has the times of files, so git reads only the changed ones.
  const own = join(gitDir, 'index');
  const stats = await lstat(own).catch(() => null);
  if (stats?.isFile()) {
    await copyFile(own, index);
    // With a younger index git would trust files that changed in the second in which it was
    // written.
    const seconds = Math.floor(stats.mtimeMs / 1000);
    await utimes(index, seconds, seconds);
  }
  const options = { cwd: checkoutDir, env: { GIT_INDEX_FILE: index }, timeoutMs: TIMEOUT_MS };
  const at = ['--git-dir', dir, '--work-tree', checkoutDir, '-c', 'core.bare=false'];
  const git: WorkSnapshot['git'] = (args, more) =>
    runGit([...at, ...args], { ...options, ...more });
  await stageAllFiles(git, checkoutDir);
  const files = (await git(['write-tree'])).stdout.trim();
  return { refs, files, git };
}

/** {@link takeWorkSnapshot} in a temporary folder. Null = it cannot be read. Never rejects. */
async function readSnapshot<Read>(
  checkoutDir: string,
  read: (snapshot: WorkSnapshot) => Promise<Read>,
): Promise<Read | null> {
  let dir: string | null = null;
  try {
    if (!(await lstat(join(checkoutDir, '.git'))).isDirectory()) return null;
    dir = await mkdtemp(join(tmpdir(), SNAPSHOT_FOLDER));
    const snapshot = await takeWorkSnapshot(checkoutDir, dir);
    return snapshot && (await read(snapshot));
  } catch {
    // The repository is incomplete, or git cannot read it.
    return null;
  } finally {
    if (dir !== null) await rm(dir, { recursive: true, force: true });
  }
}

/** How the files differ from a commit. */
async function compareFiles({ git, files }: WorkSnapshot, commit: string): Promise<ChangedFiles> {
  const { stdout } = await git(
    ['diff-tree', '-r', '--numstat', '-z', '--no-renames', commit, files],
    { cutOutput: true, encoding: 'latin1' },
  );
  return parseChangedFiles(stdout);
}

async function readChangesFromBase(
  snapshot: WorkSnapshot,
  base: string | null,
): Promise<ChangedFiles | null> {
  const { head, origin } = snapshot.refs;
  const tip = base === null ? undefined : origin.get(base);
  if (tip === undefined || head === undefined) return null;
  const gitRun = await snapshot.git(['merge-base', tip, head], { answers: [1] });
  return gitRun.exitCode === 0 ? compareFiles(snapshot, gitRun.stdout.trim()) : null;
}

/**
 * Reads what a checkout holds; `base`: name of a branch of origin, null = nothing is compared. Null =
 * it is not known. Changes nothing in the checkout and runs nothing that it configures. Never
 * rejects.
 */
export const readWork = (checkoutDir: string, base: string | null): Promise<Work | null> =>
  readSnapshot(checkoutDir, async (snapshot) => {
    const { files, git } = snapshot;
    const { commits } = snapshot.refs;
    const trees =
      commits.length === 0
        ? []
        : (await git(['rev-parse', ...commits.map((sha) => `${sha}^{tree}`)])).stdout
            .trim()
            .split('\n');
    const hash = createHash('sha256')
      .update([files, ...new Set(trees.toSorted())].join('\n'))
      .digest('hex');
    return { hash, changed: await readChangesFromBase(snapshot, base) };
  });

/**
 * How a checkout's files differ from the newest commit of its branch that is not younger than `at`
 * (epoch ms), by the committer's clock. Null = it is not known. Changes and runs nothing, as
 * {@link readWork}.
 */
export const readWorkSince = (checkoutDir: string, at: number): Promise<ChangedFiles | null> =>
  readSnapshot(checkoutDir, async (snapshot) => {
    const { head } = snapshot.refs;
    if (head === undefined) return null;
    const seconds = Math.floor(at / 1000);
    const { stdout } = await snapshot.git(['rev-list', '-1', `--before=${seconds}`, head]);
    const commit = stdout.trim();
    return commit === '' ? null : compareFiles(snapshot, commit);
  });
