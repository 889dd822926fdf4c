import git from 'isomorphic-git';
import { messageOf, SvcError } from '../../lib/errors.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../forge.ts';
import { isAncestor, mergeCommitOf, mergeCommitWithLine, moveBranch } from '../history.ts';
import { mergeCommits } from '../mergeCommit.ts';
import { findBranch, objectsOf, reading } from '../repository.ts';
import { assertCanFollow, catchUp, follow, workTreesOn } from '../workTree.ts';
import type { Desk, Operation } from './desk.ts';
import { eventOf, mappingOf, prIdOf } from './describe.ts';
import { type PrRow, pullRequestRow } from './rows.ts';

/** Line of the merge commit's message by which a repeat after a crash finds what was done. */
const operationLine = (operationId: string): string => `Svc-Operation: ${operationId}`;

/** Git's header lines hold no angle brackets and no line ends. */
const gitName = (author: string): string => author.replace(/[<>\p{Cc}]+/gu, ' ').trim() || 'svc';

/** Merges with a commit of its own; what is merged already (a crash, a merge by hand) is recorded and not repeated. */
export const mergePr: Operation<ForgeOperations['merge_pr']> = async (desk, { repo, number }, actor) => {
  const pr = pullRequestRow(desk.rows, repo, number);
  if (pr.state !== 'open') {
    if (pr.merge_operation_id === actor.operationId) return answer(desk, pr, { store: false });
    throw new SvcError('conflict', `${prIdOf(repo, number)} is ${pr.state} already.`, { data: { state: pr.state } });
  }
  const ends = await endsOf(desk, pr);
  if (!ends) {
    throw new SvcError('conflict', `${prIdOf(repo, number)} cannot be merged: branch ${pr.head} or ${pr.base} does not exist any more.`);
  }
  return (await recordMerge(desk, pr, actor)) ?? (await merge(desk, pr, ends, actor));
};

const endsOf = async ({ repo }: Desk, pr: PrRow): Promise<{ base: string; head: string } | undefined> => {
  const [base, head] = [await findBranch(repo.repository, pr.base), await findBranch(repo.repository, pr.head)];
  return base === undefined || head === undefined ? undefined : { base, head };
};

/** The change for an open pull request whose merge is in the repository but not in the rows; undefined when there is none. */
export async function recordMerge(desk: Desk, pr: PrRow, actor: ForgeActor): Promise<ForgeChange | undefined> {
  const { repository } = desk.repo;
  const ends = await endsOf(desk, pr);
  if (!ends) return undefined;
  const { base, head } = ends;
  const done =
    (await mergeCommitWithLine(repository, base, operationLine(actor.operationId), actor.at)) ??
    ((await isAncestor(repository, head, base)) ? ((await mergeCommitOf(repository, head, base)) ?? head) : undefined);
  if (done === undefined) return undefined;
  const warnings: string[] = [];
  const [first] = (await commitOf(desk, done)).parent;
  if (done === base && done !== head && first !== undefined) {
    for (const dir of await workTreesOn(repository, pr.base)) {
      if (!(await catchUp(dir, first, done))) warnings.push(`${dir} has changes of its own and was left as it is`);
    }
  }
  return answer(desk, await mergedRow(desk, pr, done, head, actor), { store: true, warnings });
}

async function merge(desk: Desk, pr: PrRow, { base, head }: { base: string; head: string }, actor: ForgeActor): Promise<ForgeChange> {
  const { repository } = desk.repo;
  const prId = prIdOf(pr.repo, pr.number);
  const outcome = await mergeCommits(repository, base, head, {
    message: `Merge pull request #${pr.number}: ${pr.title}\n\n${prId}\n${operationLine(actor.operationId)}\n`,
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
    // The branch has moved: from here on the merge is done, and a working tree that stays behind does not undo it.
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
  reading(desk.repo.repository, async () => (await git.readCommit({ ...objectsOf(desk.repo.repository), oid })).commit);

/** Told from the commit, so that whoever records the merge, now or after a crash, writes the same row. */
async function mergedRow(desk: Desk, pr: PrRow, merged: string, head: string, actor: ForgeActor): Promise<PrRow> {
  const row: PrRow = { ...pr, state: 'merged', merge_commit: merged };
  // Fast-forwarded by hand: no commit tells who did it and when.
  if (merged === head) return { ...row, merged_at: actor.at, merged_by: actor.author, merge_operation_id: actor.operationId };
  const { author, committer, message } = await commitOf(desk, merged);
  return {
    ...row,
    merged_at: committer.timestamp * 1000,
    merged_by: author.name,
    merge_operation_id: message.match(/^Svc-Operation: (.+)$/m)?.[1] ?? actor.operationId,
  };
}

function answer(desk: Desk, row: PrRow, { store, warnings = [] }: { store: boolean; warnings?: string[] }): ForgeChange {
  const pr = mappingOf(row, desk.webUrl);
  const { merge_commit: mergeCommit, merged_by: mergedBy } = row;
  return {
    pr,
    result: {
      ...{ prId: pr.prId, number: pr.number, url: pr.url, state: pr.state, mergedAt: pr.mergedAt, mergeCommit, mergedBy },
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
