import { readUnifiedDiff } from '../../git/unifiedDiff.ts';
import { isAncestor } from '../../git/history.ts';
import { mergeCommits } from '../../git/mergeCommit.ts';
import { findBranch } from '../../git/repository.ts';
import type { LocalForgeWrites } from './writes.ts';
import { prIdOf } from './describe.ts';
import type { PrRow } from './rows.ts';

/** Largest diff that is answered: 2 MiB; the rest is left out with a note. */
export const MAX_DIFF_BYTES = 2 * 1024 * 1024;

/**
 * Whether an open pull request could be merged now, found out without writing anything; null for
 * one that is not open.
 */
export async function mergeableNow({ repo }: LocalForgeWrites, pr: PrRow): Promise<boolean | null> {
  if (pr.state !== 'open') return null;
  const [base, head] = [
    await findBranch(repo.repository, pr.base),
    await findBranch(repo.repository, pr.head),
  ];
  if (base === undefined || head === undefined) return false;
  // Nothing would be merged: it was already, or the branch was reset.
  if (await isAncestor(repo.repository, head, base)) return false;
  return !('conflicts' in (await mergeCommits(repo.repository, base, head, null)));
}

/**
 * What the pull request changes: base...head while it is open, what came with the merge afterwards.
 */
export async function diffOf({ repo }: LocalForgeWrites, pr: PrRow): Promise<string> {
  const range =
    pr.merge_commit === null
      ? await openRange(repo, pr)
      : [`${pr.merge_commit}^1`, pr.merge_commit];
  if (!range)
    return `# ${prIdOf(pr.repo, pr.number)}: branch ${pr.head} or ${pr.base} no longer exists.\n`;
  return readUnifiedDiff(repo.repository.gitDir, range, MAX_DIFF_BYTES);
}

async function openRange(repo: LocalForgeWrites['repo'], pr: PrRow): Promise<string[] | undefined> {
  const [base, head] = [
    await findBranch(repo.repository, pr.base),
    await findBranch(repo.repository, pr.head),
  ];
  return base === undefined || head === undefined ? undefined : [`${base}...${head}`];
}
