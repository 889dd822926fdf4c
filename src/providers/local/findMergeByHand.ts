import { findTakenOver } from '../../git/findTakenOver.ts';
import {
  findNamingCommit,
  hasCommit,
  isAncestor,
  findMergeCommit,
  readCommit,
} from '../../git/history.ts';
import type { Repository } from '../../git/openRepository.ts';
import type { PrRow } from './rows.ts';

/** Where the branches of a pull request are and were. Undefined: none, or unknown. */
export interface BranchTips {
  base: string;
  head: string | undefined;
  /** The newest commit that its branch is known to have had beyond the base. */
  known: string | undefined;
  /** The base at the last look: what it has is not a merge of a newer commit. */
  looked: string | undefined;
}

/** A merge that svc has not made, or what prevents a merge. */
export type MergeByHand =
  | { head: string; done: string }
  /** `problem`: as a part of a sentence; null = none. `isEmpty`: nothing would be merged. */
  | { problem: string | null; isEmpty: boolean };

const NOTHING: MergeByHand = { problem: null, isEmpty: false };

const shortenTip = (commit: string): string => commit.slice(0, 12);

/**
 * Whether a commit of the base can be a merge of this pull request: it came after the last look or,
 * without one, after the opening.
 */
async function isNewMerge(
  repository: Repository,
  pr: PrRow,
  { looked }: BranchTips,
  commit: string,
): Promise<boolean> {
  if (looked !== undefined && (await hasCommit(repository, looked)))
    return !(await isAncestor(repository, commit, looked));
  const { committedAt } = await readCommit(repository, commit);
  // Git counts in seconds.
  return committedAt !== null && committedAt >= Math.floor(pr.created_at / 1000) * 1000;
}

/** A rebase or squash of the commits in the base. */
async function findReplayedMerge(
  repository: Repository,
  pr: PrRow,
  tips: BranchTips,
  head: string,
): Promise<MergeByHand> {
  const { base } = tips;
  const takenOverCommit = await findTakenOver(repository, base, head);
  if (takenOverCommit === undefined) {
    const naming = await findNamingCommit(repository, base, head);
    if (naming === undefined) return NOTHING;
    const problem = `commit ${shortenTip(naming)} of ${pr.base} names its newest commit ${shortenTip(head)}, but its changes are others: if that was its merge, close it`;
    return { problem, isEmpty: false };
  }
  const { commit, isComplete } = takenOverCommit;
  if (isComplete && (await isNewMerge(repository, pr, tips, commit))) return { head, done: commit };
  const problem = isComplete
    ? `${pr.base} already has its changes in commit ${shortenTip(commit)}: if nothing is left to merge, close it`
    : `${pr.base} got its changes in commit ${shortenTip(commit)}, and some of them were removed again: if that was its merge, close it`;
  return { problem, isEmpty: isComplete };
}

/** Whether the base has the known commits of the branch. */
async function hasKnownCommits(repository: Repository, { base, head, known }: BranchTips) {
  if (known === undefined || known === head) return true;
  return (await hasCommit(repository, known)) && (await isAncestor(repository, known, base));
}

/**
 * A branch whose commits are all in the base was merged, unless it had other commits before: then
 * it was reset. For a branch that moved since the last look, only a merge commit counts.
 */
async function findContainedMerge(
  repository: Repository,
  pr: PrRow,
  tips: BranchTips,
  head: string,
): Promise<MergeByHand> {
  const { base, known, looked } = tips;
  const merge = await findMergeCommit(repository, head, base);
  if (await hasKnownCommits(repository, tips)) return { head, done: merge ?? head };
  const had = known ?? '';
  const isThere = await hasCommit(repository, had);
  if (
    merge !== undefined &&
    looked !== undefined &&
    (await isNewMerge(repository, pr, tips, merge))
  ) {
    const isBack = isThere && (await isAncestor(repository, head, had));
    if (!isBack) return { head, done: merge };
  }
  const replay = isThere ? await findReplayedMerge(repository, pr, tips, had) : NOTHING;
  if ('done' in replay) return replay;
  const problem = `its branch ${pr.head} has no commit that ${pr.base} does not have, and had ${shortenTip(had)}, which ${pr.base} does not have: push its commits again, or close it`;
  return { problem: replay.problem ?? problem, isEmpty: true };
}

/**
 * Finds what people did with git about an open pull request: merged its branch, or took over all of
 * its changes. Writes nothing.
 */
export async function findMergeByHand(
  repository: Repository,
  pr: PrRow,
  tips: BranchTips,
): Promise<MergeByHand> {
  const { base, head, known } = tips;
  if (head !== undefined)
    return (await isAncestor(repository, head, base))
      ? findContainedMerge(repository, pr, tips, head)
      : findReplayedMerge(repository, pr, tips, head);
  if (known === undefined || !(await hasCommit(repository, known))) return NOTHING;
  if (!(await isAncestor(repository, known, base)))
    return findReplayedMerge(repository, pr, tips, known);
  return { head: known, done: (await findMergeCommit(repository, known, base)) ?? known };
}
