import { mergeBases } from './history.ts';
import { TreeMerge } from './mergeTrees.ts';
import { objectLibrary } from './objectLibrary.ts';
import { type Objects, objectsOf, type Repository, reading } from './repository.ts';

/** The empty tree; git knows it without storing it. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

export interface MergeDescription {
  message: string;
  author: string;
  /** Epoch ms, taken to the second: time of author and committer. */
  at: number;
}

/** Either what prevents the merge, as words or paths, or (unless it was a dry run) the commit. */
export type MergeOutcome = { conflicts: string[] } | { commit: string | null };

const treeOf = async (objects: Objects, commit: string): Promise<string> =>
  (await (await objectLibrary()).readCommit({ ...objects, oid: commit })).commit.tree;

/**
 * Merges commit `head` into commit `base` in the object store; no branch moves. Always a commit
 * with two parents, never a fast-forward; the same arguments make the same commit. `describe` null:
 * only checks whether it could be done.
 */
export const mergeCommits = (
  repository: Repository,
  base: string,
  head: string,
  describe: MergeDescription | null,
): Promise<MergeOutcome> =>
  reading(repository, async () => {
    const [ancestor, ...others] = await mergeBases(repository, base, head);
    if (ancestor === undefined) return { conflicts: ['(the branches have no common commit)'] };
    if (others.length > 0) return { conflicts: ['(the branches have a criss-cross merge)'] };
    const objects = objectsOf(repository);
    const merge = new TreeMerge(objects, describe === null);
    const [from, ours, theirs] = [
      await treeOf(objects, ancestor),
      await treeOf(objects, base),
      await treeOf(objects, head),
    ];
    const tree = await merge.merge(from, ours, theirs);
    if (merge.conflicts.length > 0) return { conflicts: merge.conflicts.sort() };
    if (describe === null) return { commit: null };
    const git = await objectLibrary();
    if (tree === null) await git.writeTree({ ...objects, tree: [] });
    const person = {
      name: describe.author,
      email: `${describe.author.replace(/[^A-Za-z0-9._-]+/g, '-')}@svc.invalid`,
      timestamp: Math.floor(describe.at / 1000),
      timezoneOffset: 0,
    };
    const commit = await git.writeCommit({
      ...objects,
      commit: {
        tree: tree ?? EMPTY_TREE,
        parent: [base, head],
        message: describe.message,
        author: person,
        committer: person,
      },
    });
    return { commit };
  });
