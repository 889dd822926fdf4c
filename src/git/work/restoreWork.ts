import { FETCH_CHECKS } from '../fetchChecks.ts';
import { runGit } from '../runGit.ts';
import type { WorkCommit } from './readWorkCommit.ts';

/** Holds the commit while the files are written. */
const FETCHED = 'refs/svc/work';

interface RestoreRequest {
  /** A fresh clone. */
  checkoutDir: string;
  repoPath: string;
  /** Full name of the ref in that repository. */
  ref: string;
  work: WorkCommit;
  timeoutMs: number;
}

/** Gives a fresh clone the branch and the files of saved work; what was not committed is not committed again. */
export async function restoreWork({
  checkoutDir,
  repoPath,
  ref,
  work,
  timeoutMs,
}: RestoreRequest): Promise<void> {
  const git = (args: readonly string[], answers: readonly number[] = []) =>
    runGit(args, { cwd: checkoutDir, fileProtocol: true, timeoutMs, answers });
  const flags = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
  await git([
    ...FETCH_CHECKS,
    'fetch',
    ...flags,
    '--update-shallow',
    '--',
    repoPath,
    `+${ref}:${FETCHED}`,
  ]);
  await git(['read-tree', '--reset', '-u', work.commit]);
  if (work.branch === null) await git(['update-ref', '--no-deref', 'HEAD', work.head]);
  else {
    await git(['update-ref', `refs/heads/${work.branch}`, work.head]);
    await git(['symbolic-ref', 'HEAD', `refs/heads/${work.branch}`]);
  }
  await git(['read-tree', 'HEAD']);
  await git(['update-index', '-q', '--refresh'], [1]);
  await git(['update-ref', '-d', FETCHED]);
}
