import { runGit } from '../../git/runGit.ts';
import { countCommitsBeyond } from '../../git/history.ts';
import { openRepository } from '../../git/openRepository.ts';
import { showRawPath, splitFields } from '../../git/rawPaths.ts';
import { resolveBranch } from '../../git/readCommitTree.ts';

/** Most bytes of the names of changed files: 256 MiB. */
const MAX_CHANGED_BYTES = 256 * 1024 * 1024;

/** How far a branch has moved since a conversation pinned its commit. */
export interface Drift {
  newest: string;
  /** New commits of the branch. */
  behind: number;
  /** Cited files that these commits changed. */
  changed: string[];
}

interface DriftOptions {
  repoPath: string;
  ref: string;
  commit: string;
  paths: readonly string[];
}

/**
 * Compares the pinned commit with the local branch, without asking the forge. Throws SvcError
 * `not-found` if the branch is gone.
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
