import { join } from 'node:path';
import { borrowObjects } from './borrowObjects.ts';
import { MergeCheck } from './checkMerge.ts';
import { findMergeBases } from './history.ts';
import { type Conflicts, mergeTrees, type TreeMerge } from './mergeTrees.ts';
import { showRawPath } from './rawPaths.ts';
import type { GitRunner } from './loadObjects.ts';
import type { Repository } from './openRepository.ts';

export interface MergeDescription {
  message: string;
  author: string;
  /** Epoch ms, taken to the second: time of author and committer. */
  at: number;
}

/**
 * Either what prevents the merge, or (unless it was a dry run) the commit. `conflicts`: sorted
 * paths for people, or a reason in parentheses; `reasons`: why, by path.
 */
export type MergeOutcome =
  | { conflicts: string[]; reasons: ReadonlyMap<string, string> }
  | { commit: string | null };

/** The result of a dry run, and where its new objects are until `inspect` has ended. */
export interface DryMerge {
  tree: string;
  objects: string;
}

const refuseMerge = (why: string): MergeOutcome => ({ conflicts: [why], reasons: new Map() });

function toConflictOutcome(conflicts: Conflicts): MergeOutcome {
  const reasons = new Map([...conflicts].map(([path, why]) => [showRawPath(path), why]));
  return { conflicts: [...reasons.keys()].sort(), reasons };
}

async function readTreeIds(git: GitRunner, commits: readonly string[]): Promise<string[]> {
  const { stdout } = await git(['rev-parse', ...commits.map((commit) => `${commit}^{tree}`)]);
  return stdout.trim().split('\n');
}

/** Id of the merged tree, checked entry by entry, or the conflicts. `dir`: a folder for drafts. */
async function mergeChecked(
  git: GitRunner,
  dir: string,
  { bases, ours, theirs }: { bases: readonly string[]; ours: string; theirs: string },
): Promise<TreeMerge> {
  const trees = await readTreeIds(git, [ours, theirs, ...bases]);
  const [ourTree = '', theirTree = '', ...baseTrees] = trees;
  // One side has not moved, so there is nothing to merge.
  if (bases.includes(ours)) return { tree: theirTree, conflicts: new Map() };
  if (bases.includes(theirs)) return { tree: ourTree, conflicts: new Map() };
  const merge = await mergeTrees(git, ours, theirs);
  if (merge.conflicts.size > 0) return merge;
  const treeIds = { bases: baseTrees, ours: ourTree, theirs: theirTree, result: merge.tree };
  return { ...merge, conflicts: await new MergeCheck(git, dir, treeIds).run() };
}

const formatCommit = (
  tree: string,
  parents: readonly string[],
  { message, author, at }: MergeDescription,
): string => {
  const email = `${author.replace(/[^A-Za-z0-9._-]+/g, '-')}@svc.invalid`;
  const person = `${author} <${email}> ${Math.floor(at / 1000)} +0000`;
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${person}`,
    `committer ${person}`,
  ];
  return `${lines.join('\n')}\n\n${message}`;
};

/**
 * Merges commit `head` into commit `base` with git in the object store; no branch moves, and
 * nothing that configuration or attributes name is run. Always a commit with two parents, never a
 * fast-forward; the same arguments make the same commit. `describe` null: a dry run that writes
 * nothing.
 */
export async function mergeCommits(
  repository: Repository,
  base: string,
  head: string,
  describe: MergeDescription | null,
  inspect: (merged: DryMerge) => Promise<void> = async () => {},
): Promise<MergeOutcome> {
  const bases = await findMergeBases(repository, base, head);
  if (bases.length === 0) return refuseMerge('(the branches have no common commit)');
  return borrowObjects(repository, { write: describe !== null }, async (git, dir) => {
    const merge = await mergeChecked(git, dir, { bases, ours: base, theirs: head });
    if (merge.conflicts.size > 0) return toConflictOutcome(merge.conflicts);
    if (describe === null) {
      await inspect({ tree: merge.tree, objects: join(dir, 'objects') });
      return { commit: null };
    }
    const text = formatCommit(merge.tree, [base, head], describe);
    const { stdout } = await git(['hash-object', '-t', 'commit', '-w', '--stdin'], { input: text });
    return { commit: stdout.trim() };
  });
}
