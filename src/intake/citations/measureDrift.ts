import { runGit } from '../../git/runGit.ts';
import { countCommitsBeyond } from '../../git/history.ts';
import { openRepository } from '../../git/openRepository.ts';
import { showRawPath, splitFields } from '../../git/rawPaths.ts';
import { resolveBranch } from '../../git/readCommitTree.ts';

/** Most bytes of the names of changed files: 256 MiB. */
const MAX_CHANGED_BYTES = 256 * 1024 * 1024;

/** How far a branch has gone since a conversation pinned its commit. */
export interface Drift {
  /** The newest commit of the branch. */
  newest: string;
  /** Commits that the branch has gained. */
  behind: number;
  /** Of the cited files: those that these commits have changed. */
  changed: string[];
}

interface DriftOptions {
  repoPath: string;
  /** The branch. */
  ref: string;
  /** The pinned commit. */
  commit: string;
  /** Cited files. */
  paths: readonly string[];
}

/**
 * Compares the pinned commit with the branch as it is on this disk; nothing is asked of the forge.
 * Throws SvcError `not-found` where the branch is gone.
 */
export async function measureDrift({ repoPath, ref, commit, paths }: DriftOptions): Promise<Drift> {
  const newest = await resolveBranch(repoPath, ref);
  if (newest === commit) return { newest, behind: 0, changed: [] };
  const behind = await countCommitsBeyond(openRepository(repoPath), commit, newest);
  if (paths.length === 0) return { newest, behind, changed: [] };
  const args = ['diff-tree', '-r', '--name-only', '-z', '--no-renames', commit, newest];
  const { stdout } = await runGit(args, {
    cwd: repoPath,
    encoding: 'latin1',
    maxBytes: MAX_CHANGED_BYTES,
  });
  const changed = new Set(splitFields(stdout).map(showRawPath));
  return { newest, behind, changed: paths.filter((path) => changed.has(path)).sort() };
}
