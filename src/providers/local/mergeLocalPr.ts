import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../../contract/forge/forge.ts';
import {
  isAncestor,
  findOperationMergeCommit,
  moveBranch,
  OPERATION_TRAILER,
  readCommit,
} from '../../git/history.ts';
import { assertNotRebasing } from '../../git/assertNotRebasing.ts';
import { mergeCommits } from '../../git/mergeCommits.ts';
import { findMergeByHand } from './findMergeByHand.ts';
import { findBranch } from '../../git/openRepository.ts';
import { checkPinned } from '../rest/merging.ts';
import { assertCanFollow, catchUpWorkTree, updateWorkTree } from '../../git/updateWorkTree.ts';
import { listWorkTreesOn } from '../../git/listWorkTreesOn.ts';
import type { LocalForgeWrites, Operation } from './writes.ts';
import { toLocalEvent, toLocalMapping, formatLocalPrId } from './describe.ts';
import { type PrRow, readPrRow } from './rows.ts';

/** Git's header lines hold no angle brackets and no line ends. */
const toGitName = (author: string): string =>
  author.replace(/[<>\s\p{Cc}]+/gu, ' ').trim() || 'svc';

/**
 * Merges with a commit of its own; a merge that exists already (after a crash, or made by hand) is
 * recorded and not repeated.
 */
export const mergeLocalPr: Operation<ForgeOperations['merge_pr']> = async (
  service,
  { repo, number, head: pinnedHead },
  actor,
) => {
  const pr = readPrRow(service.rows, repo, number);
  if (pr.state !== 'open') {
    if (pr.merge_operation_id === actor.operationId)
      return answerLocalMerge(service, pr, { store: false });
    throw new SvcError('conflict', `${formatLocalPrId(repo, number)} is ${pr.state} already.`, {
      data: { state: pr.state },
    });
  }
  const { repository } = service.repo;
  const [base, head] = [
    await findBranch(repository, pr.base),
    await findBranch(repository, pr.head),
  ];
  if (base === undefined || head === undefined) {
    const missingBranch = base === undefined ? pr.base : pr.head;
    throw new SvcError(
      'conflict',
      `${formatLocalPrId(repo, number)} cannot be merged: branch ${missingBranch} no longer exists.`,
    );
  }
  const mergeCommit = await findOperationMergeCommit(repository, base, actor.operationId);
  if (mergeCommit !== undefined)
    return recordLocalMerge(service, pr, { base, head, done: mergeCommit }, actor);
  checkPinned({ prId: formatLocalPrId(repo, number) }, head, pinnedHead);
  if (!(await isAncestor(repository, head, base)))
    return createMergeCommit(service, pr, { base, head }, actor);
  const recordedHead = pr.head_commit ?? undefined;
  const mergeByHand = await findMergeByHand(repository, pr, {
    base,
    head,
    known: recordedHead,
    looked: undefined,
  });
  if ('done' in mergeByHand) return recordLocalMerge(service, pr, { base, ...mergeByHand }, actor);
  throw new SvcError(
    'conflict',
    `${formatLocalPrId(repo, number)} cannot be merged: ${mergeByHand.problem}.`,
  );
};

/**
 * The change that records the commit `done` as the merge, or its replacement, of a pull request.
 */
export async function recordLocalMerge(
  service: LocalForgeWrites,
  pr: PrRow,
  { base, head, done }: { base: string; head: string; done: string },
  actor: ForgeActor,
) {
  const warnings: string[] = [];
  const { message, parents } = await readCommit(service.repo.repository, done);
  const [before] = parents;
  // The newest commit is a merge of ours: a crash may have come before the working trees followed.
  if (done === base && before !== undefined && readMergeOperation(message) !== undefined) {
    for (const tree of await listWorkTreesOn(service.repo.repository, pr.base)) {
      if (!(await catchUpWorkTree(tree, before, done)))
        warnings.push(`${tree.dir} has local changes and was not changed`);
    }
  }
  return answerLocalMerge(service, await deriveMergedRow(service, pr, done, head, actor), {
    store: true,
    warnings,
  });
}

const readMergeOperation = (message: string): string | undefined =>
  message.match(new RegExp(`^${OPERATION_TRAILER}: (.+)$`, 'm'))?.[1];

async function createMergeCommit(
  service: LocalForgeWrites,
  pr: PrRow,
  { base, head }: { base: string; head: string },
  actor: ForgeActor,
): Promise<ForgeChange> {
  const { repository } = service.repo;
  const prId = formatLocalPrId(pr.repo, pr.number);
  const outcome = await mergeCommits(repository, base, head, {
    message: `Merge pull request #${pr.number}: ${pr.title}\n\n${prId}\n\n${OPERATION_TRAILER}: ${actor.operationId}\n`,
    author: toGitName(actor.author),
    at: actor.at,
  });
  if ('conflicts' in outcome) throw createConflictError(pr, outcome);
  const commit = outcome.commit;
  if (commit === null) throw new SvcError('internal', `The merge of ${prId} made no commit.`);

  await assertNotRebasing(repository, pr.base);
  const trees = await listWorkTreesOn(repository, pr.base);
  for (const tree of trees)
    await assertCanFollow(tree, { branch: pr.base, head: pr.head, from: base, to: commit });
  await moveBranch(repository, pr.base, base, commit, `svc: merge ${prId}`);
  const warnings: string[] = [];
  for (const tree of trees) {
    // The branch has moved, so the merge is done even if a working tree stays behind.
    await updateWorkTree(tree, base, commit).catch((error: unknown) => {
      warnings.push(`${tree.dir} still shows the state before the merge: ${toErrorMessage(error)}`);
    });
  }
  return answerLocalMerge(service, await deriveMergedRow(service, pr, commit, head, actor), {
    store: true,
    warnings,
  });
}

const MAX_NAMED_CONFLICTS = 20;

function createConflictError(
  pr: PrRow,
  { conflicts, reasons }: { conflicts: string[]; reasons: ReadonlyMap<string, string> },
): SvcError {
  const conflictTexts = conflicts.slice(0, MAX_NAMED_CONFLICTS).map((path) => {
    const why = reasons.get(path);
    return why === undefined ? path : `${path} (${why})`;
  });
  const more = conflicts.length - conflictTexts.length;
  return new SvcError(
    'conflict',
    `${formatLocalPrId(pr.repo, pr.number)} cannot be merged: ${pr.head} and ${pr.base} do not go together in ${conflictTexts.join(', ')}${more > 0 ? ` and ${more} more` : ''}. ` +
      `In a checkout of ${pr.head} run \`git fetch origin\` and \`git merge origin/${pr.base}\`, resolve the conflicts, commit, and push the branch to the forge again (create_pr with the same head).`,
    { data: { files: conflicts } },
  );
}

/** Derived from the commit, so that the row is the same after a crash. */
async function deriveMergedRow(
  service: LocalForgeWrites,
  pr: PrRow,
  merged: string,
  head: string,
  actor: ForgeActor,
): Promise<PrRow> {
  const row: PrRow = { ...pr, state: 'merged', merge_commit: merged };
  // A fast-forward by hand: no commit tells who did it and when.
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
    merge_operation_id: readMergeOperation(message) ?? actor.operationId,
  };
}

function answerLocalMerge(
  service: LocalForgeWrites,
  row: PrRow,
  { store, warnings = [] }: { store: boolean; warnings?: string[] },
): ForgeChange {
  const pr = toLocalMapping(row, service.webUrl);
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
      toLocalEvent(row, service.webUrl, {
        kind: 'merged',
        id: mergeCommit ?? '',
        author: mergedBy ?? row.author,
        text: '',
        at: row.merged_at ?? row.created_at,
      }),
    ],
  };
}
