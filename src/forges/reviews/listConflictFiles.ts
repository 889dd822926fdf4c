import type { Forge, PrDetail } from '../../contract/forge/forge.ts';
import { mergeCommits } from '../../git/mergeCommits.ts';
import { findBranch, openRepository } from '../../git/openRepository.ts';
import { SvcError } from '../../shared/errors/errors.ts';
import { isSameCommit } from '../../providers/rest/reviewing.ts';

/** How a merge that git cannot even try names its reason in place of files. */
const isReason = (word: string): boolean => word.startsWith('(');

/**
 * The files that keep git from merging an open pull request, by trying the merge without writing
 * anything. Empty: it can be merged. Null: it is not known, or it is not open.
 */
export async function listConflictFiles(forge: Forge, pr: PrDetail): Promise<string[] | null> {
  if (pr.state !== 'open' || pr.mergeable === null) return null;
  if (pr.mergeable) return [];
  try {
    const source = await forge.source(pr.repo, { fresh: true });
    if (!source) return null;
    const repository = openRepository(source.path);
    const [base, head] = [
      await findBranch(repository, pr.base),
      await findBranch(repository, pr.head),
    ];
    // The branch of a fork is in another repository.
    if (base === undefined || head === undefined || !isSameCommit(head, pr.headCommit)) return null;
    const outcome = await mergeCommits(repository, base, head, null);
    const files = 'conflicts' in outcome ? outcome.conflicts : [];
    return files.some(isReason) ? null : files;
  } catch (error) {
    // The rest of the pull request is worth showing without them.
    if (error instanceof SvcError) return null;
    throw error;
  }
}
