import { readUnifiedDiff } from '../../git/readUnifiedDiff.ts';
import { isAncestor } from '../../git/history.ts';
import { mergeCommits } from '../../git/mergeCommits.ts';
import { findBranch, type Repository } from '../../git/openRepository.ts';
import { foreseeLoss, type TreeMove } from '../../git/updateWorkTree.ts';
import { assertNotRebasing } from '../../git/assertNotRebasing.ts';
import { listWorkTreesOn } from '../../git/listWorkTreesOn.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { LocalForgeWrites } from './writes.ts';
import { formatLocalPrId } from './describe.ts';
import type { PrRow } from './rows.ts';

/** Larger diffs are cut with a note. */
export const MAX_DIFF_BYTES = 2 * 1024 * 1024;

export interface Mergeability {
  /** Whether its branches merge without conflicts; null for one that is not open. */
  mergeable: boolean | null;
  /** Why the merge would be refused all the same; left out = no reason is known. */
  mergeRefusal?: string;
}

/** A dry run: writes nothing. */
export async function checkMergeability(
  { repo: { repository } }: LocalForgeWrites,
  pr: PrRow,
): Promise<Mergeability> {
  if (pr.state !== 'open') return { mergeable: null };
  const [base, head] = [
    await findBranch(repository, pr.base),
    await findBranch(repository, pr.head),
  ];
  if (base === undefined || head === undefined) return { mergeable: false };
  // Nothing would be merged: the branch was merged already, or reset.
  if (await isAncestor(repository, head, base)) return { mergeable: false };
  let refusal: string | null = null;
  const outcome = await mergeCommits(repository, base, head, null, async ({ tree, objects }) => {
    const move = { branch: pr.base, head: pr.head, from: base, to: tree };
    refusal = await findRefusal(repository, move, objects);
  });
  const mergeable = !('conflicts' in outcome);
  return { mergeable, ...(refusal === null ? {} : { mergeRefusal: refusal }) };
}

/** Why the person's work trees would refuse a merge; null = no reason is known. */
async function findRefusal(
  repository: Repository,
  move: TreeMove,
  objects: string,
): Promise<string | null> {
  try {
    await assertNotRebasing(repository, move.branch);
    for (const tree of await listWorkTreesOn(repository, move.branch)) {
      const loss = await foreseeLoss(tree, move, objects);
      if (loss !== null) return loss.message;
    }
    return null;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    // Another failure prevents the merge, but must not keep the pull request from being shown.
    return error.code === 'conflict' ? error.message : null;
  }
}

/** The changes of the pull request: base...head while it is open, afterwards those of the merge. */
export async function readLocalDiff({ repo }: LocalForgeWrites, pr: PrRow): Promise<string> {
  const range =
    pr.merge_commit === null
      ? await findOpenRange(repo, pr)
      : [`${pr.merge_commit}^1`, pr.merge_commit];
  if (!range)
    return `# ${formatLocalPrId(pr.repo, pr.number)}: branch ${pr.head} or ${pr.base} no longer exists.\n`;
  return readUnifiedDiff(repo.repository.gitDir, range, MAX_DIFF_BYTES);
}

async function findOpenRange(
  repo: LocalForgeWrites['repo'],
  pr: PrRow,
): Promise<string[] | undefined> {
  const [base, head] = [
    await findBranch(repo.repository, pr.base),
    await findBranch(repo.repository, pr.head),
  ];
  return base === undefined || head === undefined ? undefined : [`${base}...${head}`];
}
