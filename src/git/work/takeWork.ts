import { SvcError } from '../../base/errors/errors.ts';
import { takeBranch } from '../checkout.ts';
import { explainGitProblem } from '../explainGitProblem.ts';

interface TakenWork {
  /** Repository on this disk that has the work as a branch. */
  dir: string;
  branch: string;
  gitDir: string;
  /** Full name of the ref; what it was before is replaced. */
  as: string;
}

/** Fetches a job's unfinished work into a ref of a repository. Throws SvcError where git cannot. */
export async function takeWork({ dir, branch, gitDir, as }: TakenWork): Promise<void> {
  const { exitCode, stderr } = await takeBranch({
    checkoutDir: dir,
    gitDir,
    branch,
    as,
    force: true,
  });
  if (exitCode !== 0)
    throw (
      explainGitProblem('git fetch', stderr) ??
      new SvcError('internal', `The work could not be brought into ${gitDir}: ${stderr.trim()}`)
    );
}
