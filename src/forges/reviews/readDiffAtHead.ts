import type { Forge } from '../../contract/forge/forge.ts';
import type { HeadedDiff } from '../../contract/forge/review.ts';
import { SvcError } from '../../base/errors/errors.ts';

/** Attempts for a branch that is pushed to while it is read. */
const MOST_READINGS = 3;

/**
 * The changes of a pull request with the commit that they end at. No forge names that commit, so it
 * is read before and after the diff: if the branch was pushed to in between, both are read again.
 * Throws `not-possible-now` for a branch that keeps moving.
 */
export async function readDiffAtHead(
  forge: Pick<Forge, 'pullRequest' | 'diff'>,
  { repo, number }: { repo: string; number: number },
): Promise<HeadedDiff> {
  const before = await forge.pullRequest(repo, number);
  let head = before.headCommit;
  for (let reading = 0; reading < MOST_READINGS; reading++) {
    const text = await forge.diff(repo, number);
    const after = await forge.pullRequest(repo, number);
    if (after.headCommit === head) return { head, text };
    head = after.headCommit;
  }
  throw new SvcError(
    'not-possible-now',
    `Someone is pushing to the branch of ${before.prId}, so its changes could not be read at one commit. Try again in a moment.`,
  );
}
