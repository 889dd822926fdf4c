import { sha256 } from '../../base/system/ids/ids.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type {
  ForgeActor,
  ForgeChange,
  ForgeOperations,
  PrAddress,
} from '../../contract/forge/forge.ts';
import { checkReviewed } from '../rest/reviewing.ts';
import { checkLocalBody, type LocalForgeWrites, type Operation } from './writes.ts';
import { toLocalEvent, isAgentName, toLocalMapping, formatLocalPrId } from './describe.ts';
import { type CommentRow, NO_PLACE, type PrRow, readPrRow, type ReviewRow } from './rows.ts';

const recordLocalComment = (
  service: LocalForgeWrites,
  pr: PrRow,
  inReplyTo: string | null,
  text: string,
  actor: ForgeActor,
): ForgeChange => {
  const recordedComment = service.rows.one('forge_comments', { operation_id: actor.operationId });
  const row: CommentRow = recordedComment ?? {
    repo: pr.repo,
    number: pr.number,
    id: `c${sha256(actor.operationId).slice(0, 12)}`,
    operation_id: actor.operationId,
    author: actor.author,
    body: checkLocalBody(text, false),
    in_reply_to: inReplyTo,
    at: actor.at,
    ...NO_PLACE,
  };
  const mapping = toLocalMapping(pr, service.webUrl);
  return {
    pr: mapping,
    result: { prId: mapping.prId, commentId: row.id, inReplyTo: row.in_reply_to, url: mapping.url },
    rows: recordedComment ? [] : [{ op: 'put', table: 'forge_comments', row }],
    events: [
      toLocalEvent(pr, service.webUrl, {
        kind: 'commented',
        id: row.id,
        author: row.author,
        text: row.body,
        at: row.at,
      }),
    ],
  };
};

export const postLocalComment: Operation<ForgeOperations['post_pr_comment']> = async (
  service,
  { repo, number, body },
  actor,
) => recordLocalComment(service, readPrRow(service.rows, repo, number), null, body, actor);

/** Throws SvcError `not-found` where the pull request has no such comment. */
export function checkCommentExists(
  { rows }: LocalForgeWrites,
  { repo, number }: PrAddress,
  commentId: string,
): void {
  if (rows.one('forge_comments', { repo, number, id: commentId })) return;
  const commentIds = rows
    .all('forge_comments', { repo, number }, { order: 'at', desc: true, limit: 20 })
    .map(({ id }) => id);
  throw new SvcError(
    'not-found',
    `${formatLocalPrId(repo, number)} has no comment ${JSON.stringify(commentId)}. It has ${commentIds.length > 0 ? commentIds.join(', ') : 'none'}.`,
  );
}

export const replyToLocalComment: Operation<ForgeOperations['reply_to_comment']> = async (
  service,
  { repo, number, commentId, body },
  actor,
) => {
  const pr = readPrRow(service.rows, repo, number);
  checkCommentExists(service, { repo, number }, commentId);
  return recordLocalComment(service, pr, commentId, body, actor);
};

/**
 * Throws SvcError `conflict` for the author of the pull request, and for an agent on an agent's
 * pull request, which a person has to approve.
 */
export function checkApprover(pr: PrRow, approver: string): void {
  const prId = formatLocalPrId(pr.repo, pr.number);
  if (approver === pr.author) {
    throw new SvcError(
      'conflict',
      `${approver} opened ${prId} and cannot approve their own pull request. Ask a person.`,
    );
  }
  if (isAgentName(approver) && isAgentName(pr.author)) {
    throw new SvcError(
      'conflict',
      `svc opened ${prId}, and an agent cannot approve what svc opened. Ask a person.`,
    );
  }
}

/**
 * One approval per author; a second one of the same commit changes and reports nothing. `commit`:
 * the head; null = unknown.
 */
export const approveLocalPr = async (
  service: LocalForgeWrites,
  { repo, number, head }: ForgeOperations['approve_pr'],
  actor: ForgeActor,
  commit: string | null = null,
): Promise<ForgeChange> => {
  const pr = readPrRow(service.rows, repo, number);
  const mapping = toLocalMapping(pr, service.webUrl);
  checkReviewed(mapping, commit ?? '', head);
  const reviews = service.rows.all('forge_reviews', { repo, number }, { order: 'at' });
  const before = reviews.find(({ author }) => author === actor.author);
  const earlierReview =
    before &&
    (before.operation_id === actor.operationId ||
      (before.commit_hash === commit && before.verdict === 'approved') ||
      pr.state !== 'open')
      ? before
      : undefined;
  if (!earlierReview) checkApprover(pr, actor.author);
  const mine: ReviewRow = earlierReview ?? {
    repo,
    number,
    author: actor.author,
    operation_id: actor.operationId,
    at: actor.at,
    commit_hash: commit,
    verdict: 'approved',
  };
  const repeated = earlierReview !== undefined && earlierReview.operation_id !== actor.operationId;
  if (!earlierReview && pr.state !== 'open') {
    throw new SvcError(
      'conflict',
      `${mapping.prId} is ${pr.state}: only an open pull request can be approved.`,
      {
        data: { state: pr.state },
      },
    );
  }
  const approvals = [...reviews.filter(({ author }) => author !== mine.author), mine].filter(
    ({ verdict }) => verdict === 'approved',
  );
  // An approval of a later commit, or after the same author has requested changes, is another
  // event.
  const id = before && !earlierReview ? `${mine.author}:${commit}:${mine.at}` : mine.author;
  return {
    pr: mapping,
    result: {
      prId: mapping.prId,
      url: mapping.url,
      approvals: approvals.map(({ author }) => author),
      existing: repeated,
    },
    rows: earlierReview ? [] : [{ op: 'put', table: 'forge_reviews', row: mine }],
    events: repeated
      ? []
      : [
          toLocalEvent(pr, service.webUrl, {
            kind: 'approved',
            id,
            author: mine.author,
            text: '',
            at: mine.at,
          }),
        ],
  };
};
