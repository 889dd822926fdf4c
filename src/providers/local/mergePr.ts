import { messageOf, SvcError } from '../../lib/errors.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../../contract/forge.ts';
import {
  isAncestor,
  mergeCommitOfOperation,
  moveBranch,
  OPERATION_TRAILER,
  readCommit,
} from '../../git/history.ts';
import { mergeCommits } from '../../git/mergeCommit.ts';
import { findMergeByHand } from './findMergeByHand.ts';
import { findBranch } from '../../git/repository.ts';
import { checkPinned } from '../rest/merging.ts';
import { assertCanFollow, catchUp, follow } from '../../git/workTree.ts';
import { workTreesOn } from '../../git/workTreesOn.ts';
import type { LocalForgeWrites, Operation } from './writes.ts';
import { eventOf, mappingOf, prIdOf } from './describe.ts';
import { type PrRow, pullRequestRow } from './rows.ts';

/** Git's header lines hold no angle brackets and no line ends. */
const gitName = (author: string): string => author.replace(/[<>\s\p{Cc}]+/gu, ' ').trim() || 'svc';

/**
 * Merges with a commit of its own; what is merged already (a crash, a merge by hand) is recorded
 * and not repeated.
 */
export const mergePr: Operation<ForgeOperations['merge_pr']> = async (
  service,
  { repo, number, head: pinned },
  actor,
) => {
  const pr = pullRequestRow(service.rows, repo, number);
  if (pr.state !== 'open') {
    if (pr.merge_operation_id === actor.operationId) return answer(service, pr, { store: false });
    throw new SvcError('conflict', `${prIdOf(repo, number)} is ${pr.state} already.`, {
      data: { state: pr.state },
    });
  }
  const { repository } = service.repo;
  const [base, head] = [
    await findBranch(repository, pr.base),
    await findBranch(repository, pr.head),
  ];
  if (base === undefined || head === undefined) {
    const gone = base === undefined ? pr.base : pr.head;
    throw new SvcError(
      'conflict',
      `${prIdOf(repo, number)} cannot be merged: branch ${gone} no longer exists.`,
    );
  }
  const done = await mergeCommitOfOperation(repository, base, actor.operationId);
  if (done !== undefined) return recordMerged(service, pr, { base, head, done }, actor);
  checkPinned({ prId: prIdOf(repo, number) }, head, pinned);
  if (!(await isAncestor(repository, head, base))) return merge(service, pr, { base, head }, actor);
  const known = pr.head_commit ?? undefined;
  const found = await findMergeByHand(repository, pr, { base, head, known, looked: undefined });
  if ('done' in found) return recordMerged(service, pr, { base, ...found }, actor);
  throw new SvcError('conflict', `${prIdOf(repo, number)} cannot be merged: ${found.problem}.`);
};

/** The change for a pull request whose merge, or what stands for it, is the commit `done`. */
export async function recordMerged(
  service: LocalForgeWrites,
  pr: PrRow,
  { base, head, done }: { base: string; head: string; done: string },
  actor: ForgeActor,
) {
  const warnings: string[] = [];
  const { message, parents } = await readCommit(service.repo.repository, done);
  const [before] = parents;
  // A merge of ours that is the newest commit: a crash may have cut it off before working trees
  // followed.
  if (done === base && before !== undefined && operationOf(message) !== undefined) {
    for (const tree of await workTreesOn(service.repo.repository, pr.base)) {
      if (!(await catchUp(tree, before, done)))
        warnings.push(`${tree.dir} has local changes and was left as it is`);
    }
  }
  return answer(service, await mergedRow(service, pr, done, head, actor), {
    store: true,
    warnings,
  });
}

const operationOf = (message: string): string | undefined =>
  message.match(new RegExp(`^${OPERATION_TRAILER}: (.+)$`, 'm'))?.[1];

async function merge(
  service: LocalForgeWrites,
  pr: PrRow,
  { base, head }: { base: string; head: string },
  actor: ForgeActor,
): Promise<ForgeChange> {
  const { repository } = service.repo;
  const prId = prIdOf(pr.repo, pr.number);
  const outcome = await mergeCommits(repository, base, head, {
    message: `Merge pull request #${pr.number}: ${pr.title}\n\n${prId}\n\n${OPERATION_TRAILER}: ${actor.operationId}\n`,
    author: gitName(actor.author),
    at: actor.at,
  });
  if ('conflicts' in outcome) throw conflict(pr, outcome);
  const commit = outcome.commit;
  if (commit === null) throw new SvcError('internal', `The merge of ${prId} made no commit.`);

  const trees = await workTreesOn(repository, pr.base);
  for (const tree of trees)
    await assertCanFollow(tree, { branch: pr.base, head: pr.head, from: base, to: commit });
  await moveBranch(repository, pr.base, base, commit, `svc: merge ${prId}`);
  const warnings: string[] = [];
  for (const tree of trees) {
    // The branch has moved: from here on the merge is done, and a working tree that stays behind
    // does not undo it.
    await follow(tree, base, commit).catch((error: unknown) => {
      warnings.push(`${tree.dir} still shows the state before the merge: ${messageOf(error)}`);
    });
  }
  return answer(service, await mergedRow(service, pr, commit, head, actor), {
    store: true,
    warnings,
  });
}

/** Most files that an error names. */
const MAX_NAMED_CONFLICTS = 20;

function conflict(
  pr: PrRow,
  { conflicts, reasons }: { conflicts: string[]; reasons: ReadonlyMap<string, string> },
): SvcError {
  const named = conflicts.slice(0, MAX_NAMED_CONFLICTS).map((path) => {
    const why = reasons.get(path);
    return why === undefined ? path : `${path} (${why})`;
  });
  const more = conflicts.length - named.length;
  return new SvcError(
    'conflict',
    `${prIdOf(pr.repo, pr.number)} cannot be merged: ${pr.head} and ${pr.base} do not go together in ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}. ` +
      `In a checkout of ${pr.head} run \`git fetch origin\` and \`git merge origin/${pr.base}\`, resolve the conflicts, commit, and push the branch to the forge again (create_pr with the same head).`,
    { data: { files: conflicts } },
  );
}

/**
 * Derived from the commit, so that the same row is recorded now or after a crash.
 */
async function mergedRow(
  service: LocalForgeWrites,
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
  const { author, committedAt, message } = await readCommit(service.repo.repository, merged);
  return {
    ...row,
    merged_at: committedAt ?? actor.at,
    merged_by: author || actor.author,
    merge_operation_id: operationOf(message) ?? actor.operationId,
  };
}

function answer(
  service: LocalForgeWrites,
  row: PrRow,
  { store, warnings = [] }: { store: boolean; warnings?: string[] },
): ForgeChange {
  const pr = mappingOf(row, service.webUrl);
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
      eventOf(row, service.webUrl, {
        kind: 'merged',
        id: mergeCommit ?? '',
        author: mergedBy ?? row.author,
        text: '',
        at: row.merged_at ?? row.created_at,
      }),
    ],
  };
}
