import git from 'isomorphic-git';
import { messageOf, SvcError } from '../../lib/errors.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../../contract/forge.ts';
import {
  branchesIn,
  isAncestor,
  mergeCommitOf,
  mergeCommitOfOperation,
  moveBranch,
  OPERATION_TRAILER,
} from '../../git/history.ts';
import { mergeCommits } from '../../git/mergeCommit.ts';
import { findBranch, objectsOf, reading } from '../../git/repository.ts';
import { checkPinned } from '../rest/merging.ts';
import { assertCanFollow, catchUp, follow, workTreesOn } from '../../git/workTree.ts';
import type { Desk, Operation } from './desk.ts';
import { eventOf, mappingOf, prIdOf } from './describe.ts';
import { type PrRow, pullRequestRow } from './rows.ts';

/** Git's header lines hold no angle brackets and no line ends. */
const gitName = (author: string): string => author.replace(/[<>\s\p{Cc}]+/gu, ' ').trim() || 'svc';

/**
 * Merges with a commit of its own; what is merged already (a crash, a merge by hand) is recorded
 * and not repeated.
 */
export const mergePr: Operation<ForgeOperations['merge_pr']> = async (
  desk,
  { repo, number, head: pinned },
  actor,
) => {
  const pr = pullRequestRow(desk.rows, repo, number);
  if (pr.state !== 'open') {
    if (pr.merge_operation_id === actor.operationId) return answer(desk, pr, { store: false });
    throw new SvcError('conflict', `${prIdOf(repo, number)} is ${pr.state} already.`, {
      data: { state: pr.state },
    });
  }
  const { repository } = desk.repo;
  const [base, head] = [
    await findBranch(repository, pr.base),
    await findBranch(repository, pr.head),
  ];
  if (base === undefined || head === undefined) {
    const gone = base === undefined ? pr.base : pr.head;
    throw new SvcError(
      'conflict',
      `${prIdOf(repo, number)} cannot be merged: branch ${gone} does not exist any more.`,
    );
  }
  const done = await mergeCommitOfOperation(repository, base, actor.operationId);
  if (done !== undefined) return record(desk, pr, { base, head, done }, actor);
  const merged = await recordMerge(desk, pr, actor);
  if (merged) return merged;
  checkPinned({ prId: prIdOf(repo, number) }, head, pinned);
  return merge(desk, pr, { base, head }, actor);
};

/**
 * The changes for all open pull requests of a repository whose heads are in their bases already.
 */
export async function mergedMeanwhile(desk: Desk, at: number): Promise<ForgeChange[]> {
  const { slug, repository } = desk.repo;
  const open = desk.rows.all('forge_prs', { repo: slug, state: 'open' }, { order: 'number' });
  const changes: ForgeChange[] = [];
  for (const base of new Set(open.map((pr) => pr.base))) {
    const baseCommit = await findBranch(repository, base);
    if (baseCommit === undefined) continue;
    const merged = await branchesIn(repository, baseCommit);
    for (const pr of open.filter(
      (candidate) => candidate.base === base && merged.has(candidate.head),
    )) {
      const change = await recordMerge(desk, pr, {
        author: 'unknown',
        at,
        operationId: `resync:${prIdOf(slug, pr.number)}`,
      });
      if (change) changes.push(change);
    }
  }
  return changes;
}

/**
 * The change for an open pull request whose head is in its base already; undefined when it is not.
 */
async function recordMerge(
  desk: Desk,
  pr: PrRow,
  actor: ForgeActor,
): Promise<ForgeChange | undefined> {
  const { repository } = desk.repo;
  const [base, head] = [
    await findBranch(repository, pr.base),
    await findBranch(repository, pr.head),
  ];
  if (base === undefined || head === undefined || !(await isAncestor(repository, head, base)))
    return undefined;
  const done = (await mergeCommitOf(repository, head, base)) ?? head;
  return record(desk, pr, { base, head, done }, actor);
}

async function record(
  desk: Desk,
  pr: PrRow,
  { base, head, done }: { base: string; head: string; done: string },
  actor: ForgeActor,
) {
  const warnings: string[] = [];
  const { message, parent } = await commitOf(desk, done);
  const [before] = parent;
  // A merge of ours that is the newest commit: a crash may have cut it off before working trees
  // followed.
  if (done === base && before !== undefined && operationOf(message) !== undefined) {
    for (const dir of await workTreesOn(desk.repo.repository, pr.base)) {
      if (!(await catchUp(dir, before, done)))
        warnings.push(`${dir} has changes of its own and was left as it is`);
    }
  }
  return answer(desk, await mergedRow(desk, pr, done, head, actor), { store: true, warnings });
}

const operationOf = (message: string): string | undefined =>
  message.match(new RegExp(`^${OPERATION_TRAILER}: (.+)$`, 'm'))?.[1];

async function merge(
  desk: Desk,
  pr: PrRow,
  { base, head }: { base: string; head: string },
  actor: ForgeActor,
): Promise<ForgeChange> {
  const { repository } = desk.repo;
  const prId = prIdOf(pr.repo, pr.number);
  const outcome = await mergeCommits(repository, base, head, {
    message: `Merge pull request #${pr.number}: ${pr.title}\n\n${prId}\n\n${OPERATION_TRAILER}: ${actor.operationId}\n`,
    author: gitName(actor.author),
    at: actor.at,
  });
  if ('conflicts' in outcome) throw conflict(pr, outcome.conflicts);
  const commit = outcome.commit;
  if (commit === null) throw new SvcError('internal', `The merge of ${prId} made no commit.`);

  const dirs = await workTreesOn(repository, pr.base);
  for (const dir of dirs) await assertCanFollow(dir, pr.base, base, commit);
  await moveBranch(repository, pr.base, base, commit, `svc: merge ${prId}`);
  const warnings: string[] = [];
  for (const dir of dirs) {
    // The branch has moved: from here on the merge is done, and a working tree that stays behind
    // does not undo it.
    await follow(dir, base, commit).catch((error: unknown) => {
      warnings.push(`${dir} still shows the state before the merge: ${messageOf(error)}`);
    });
  }
  return answer(desk, await mergedRow(desk, pr, commit, head, actor), { store: true, warnings });
}

const conflict = (pr: PrRow, files: string[]): SvcError =>
  new SvcError(
    'conflict',
    `${prIdOf(pr.repo, pr.number)} cannot be merged, ${pr.head} and ${pr.base} both changed: ${files.join(', ')}. ` +
      `In a checkout of ${pr.head} run \`git fetch origin\` and \`git merge origin/${pr.base}\`, mend these files, commit, and bring the branch to the forge again (create_pr with the same head).`,
    { data: { files } },
  );

const commitOf = (desk: Desk, oid: string) =>
  reading(
    desk.repo.repository,
    async () => (await git.readCommit({ ...objectsOf(desk.repo.repository), oid })).commit,
  );

/**
 * Told from the commit, so that whoever records the merge, now or after a crash, writes the same
 * row.
 */
async function mergedRow(
  desk: Desk,
  pr: PrRow,
  merged: string,
  head: string,
  actor: ForgeActor,
): Promise<PrRow> {
  const row: PrRow = { ...pr, state: 'merged', merge_commit: merged };
  // Fast-forwarded by hand: no commit tells who did it and when.
  if (merged === head)
    return {
      ...row,
      merged_at: actor.at,
      merged_by: actor.author,
      merge_operation_id: actor.operationId,
    };
  const { author, committer, message } = await commitOf(desk, merged);
  return {
    ...row,
    merged_at: committer.timestamp * 1000,
    merged_by: author.name,
    merge_operation_id: operationOf(message) ?? actor.operationId,
  };
}

function answer(
  desk: Desk,
  row: PrRow,
  { store, warnings = [] }: { store: boolean; warnings?: string[] },
): ForgeChange {
  const pr = mappingOf(row, desk.webUrl);
  const { merge_commit: mergeCommit, merged_by: mergedBy } = row;
  return {
    pr,
    result: {
      prId: pr.prId,
      number: pr.number,
      url: pr.url,
      state: pr.state,
      mergedAt: pr.mergedAt,
      mergeCommit,
      mergedBy,
      ...(warnings.length > 0 ? { warning: warnings.join('; ') } : {}),
    },
    rows: store ? [{ op: 'put', table: 'forge_prs', row }] : [],
    events: [
      eventOf(row, desk.webUrl, {
        kind: 'merged',
        id: mergeCommit ?? '',
        author: mergedBy ?? row.author,
        text: '',
        at: row.merged_at ?? row.created_at,
      }),
    ],
  };
}
