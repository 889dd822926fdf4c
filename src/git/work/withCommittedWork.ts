import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SvcError } from '../../base/errors/errors.ts';
import { explainUnsoundCheckout } from '../cleanup/explainUnsoundCheckout.ts';
import { listLocalRefs } from '../cleanup/listLocalRefs.ts';
import { takeSnapshot } from '../cleanup/takeSnapshot.ts';
import { openRepository, readHeadBranch } from '../openRepository.ts';
import { runGit } from '../runGit.ts';
import { copyShallow } from '../shallow.ts';
import { BRANCH_LINE } from './readWorkCommit.ts';

/** Branch of the temporary repository. */
const BRANCH = 'work-in-progress';

interface WorkRequest {
  jobId: string;
  checkoutDir: string;
  /** Repository that the checkout was cloned from. */
  repoPath: string;
  /** Epoch ms: time of the commit. */
  at: number;
}

export interface CommittedWork {
  /** A temporary repository with the commit as a branch. */
  dir: string;
  branch: string;
  /** Equal for the same files on the same commit of the same branch. */
  state: string;
}

/**
 * Makes one commit of the files of a checkout, committed or not, without ignored ones. It is the child of HEAD, and its
 * message names the branch, so that {@link restoreWork} can make the checkout again. The checkout stays as it is, and
 * nothing that it configures is run. Throws SvcError `conflict` for a checkout that cannot be saved.
 */
export async function withCommittedWork<T>(
  { jobId, checkoutDir, repoPath, at }: WorkRequest,
  use: (work: CommittedWork) => Promise<T>,
): Promise<T> {
  const { gitDir } = openRepository(repoPath);
  const why = await explainUnsoundCheckout(checkoutDir, gitDir);
  if (why !== null) throw new SvcError('conflict', why);
  const { head } = await listLocalRefs(checkoutDir);
  if (head === null) throw new SvcError('conflict', 'it has no commit');
  const branch = readHeadBranch(openRepository(checkoutDir));
  const message = `Work in progress of ${jobId}\n\n${BRANCH_LINE}${branch ?? ''}\n`;
  await using snapshot = await takeSnapshot({ checkoutDir, gitDir, head, at, message: '' });
  const files = snapshot.refs.find(({ name }) => name === 'files')?.commit ?? head;
  const dir = await mkdtemp(join(tmpdir(), 'svc-work-'));
  try {
    await runGit(['init', '--quiet', '--template=', '--initial-branch=none', dir]);
    const own = join(dir, '.git');
    const places = [snapshot.dir, gitDir, join(checkoutDir, '.git')];
    await writeFile(
      join(own, 'objects', 'info', 'alternates'),
      places.map((place) => `${join(place, 'objects')}\n`).join(''),
    );
    await copyShallow(places, own);
    const date = `${Math.floor(at / 1000)} +0000`;
    const git = async (...args: string[]): Promise<string> => {
      const env = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
      return (await runGit(['--git-dir', own, ...args], { env })).stdout.trim();
    };
    const tree = await git('rev-parse', `${files}^{tree}`);
    const commit = await git('commit-tree', tree, '-p', head, '-m', message);
    await git('update-ref', `refs/heads/${BRANCH}`, commit);
    return await use({ dir, branch: BRANCH, state: `${tree} ${head} ${branch ?? ''}` });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
