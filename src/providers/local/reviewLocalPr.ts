import { sha256 } from '../../base/system/ids/ids.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { findBranch } from '../../git/openRepository.ts';
import type { ForgeActor, ForgeChange, PrAddress } from '../../contract/forge/forge.ts';
import type { ReviewThread } from '../../contract/schema/forge/prDetail.ts';
import type { ReviewComment, ReviewWrite } from '../../contract/forge/review.ts';
import {
  checkReviewable,
  checkReviewed,
  isDecision,
  formatPlacedComment,
} from '../rest/reviewing.ts';
import { appendSuggestion } from '../rest/appendSuggestion.ts';
import { toLocalEvent, toLocalMapping, formatLocalPrId } from './describe.ts';
import { type CommentRow, NO_PLACE, type PrRow, readPrRow, type ReviewRow } from './rows.ts';
import { checkApprover, checkCommentExists } from './commentsAndApprovals.ts';
import { checkLocalBody, type LocalForgeWrites, type Operation } from './writes.ts';

const KINDS = {
  approve: 'approved',
  request_changes: 'changes_requested',
  comment: 'commented',
} as const;

const toCommentPlace = ({ path, line, startLine, side }: ReviewComment, head: string) => ({
  ...NO_PLACE,
  path,
  line,
  start_line: startLine,
  side,
  commit_hash: head,
});

function createCommentRow(
  service: LocalForgeWrites,
  { repo, number, head }: ReviewWrite,
  comment: ReviewComment,
  operationId: string,
  { author, at }: ForgeActor,
): CommentRow {
  if (comment.replyTo !== null) checkCommentExists(service, { repo, number }, comment.replyTo);
  return {
    repo,
    number,
    id: `c${sha256(operationId).slice(0, 12)}`,
    operation_id: operationId,
    author,
    body: checkLocalBody(appendSuggestion(comment), false),
    in_reply_to: comment.replyTo,
    at,
    ...(comment.replyTo === null ? toCommentPlace(comment, head) : NO_PLACE),
  };
}

const formatLocalReview = ({ body, comments }: ReviewWrite): string =>
  [body, ...comments.map(formatPlacedComment)].filter((text) => text !== '').join('\n\n');

/** All rows of a review are made at once, or none. */
export const reviewLocalPr: Operation<ReviewWrite> = async (service, review, actor) => {
  const { repo, number, head, verdict, body, comments } = review;
  const pr = readPrRow(service.rows, repo, number);
  const before = service.rows.one('forge_reviews', { repo, number, author: actor.author });
  const ids = [...comments.keys()].map((index) => `${actor.operationId}/c${index}`);
  const bodyId = `${actor.operationId}/body`;
  const isDone =
    before?.operation_id === actor.operationId ||
    [...ids, bodyId].some((id) => service.rows.one('forge_comments', { operation_id: id }));
  if (!isDone) await checkOpenAtHead(service, pr, review, actor);

  const rows: ForgeChange['rows'] = isDone
    ? []
    : comments.map((comment, index) => ({
        op: 'put',
        table: 'forge_comments',
        row: createCommentRow(service, review, comment, ids[index] ?? '', actor),
      }));
  if (!isDone && body.trim() !== '') {
    const text = { ...NO_TEXT, body };
    const row = createCommentRow(service, review, text, bodyId, actor);
    rows.push({ op: 'put', table: 'forge_comments', row: { ...row, ...NO_PLACE } });
  }
  if (!isDone && isDecision(verdict)) {
    const row: ReviewRow = {
      repo,
      number,
      author: actor.author,
      operation_id: actor.operationId,
      at: actor.at,
      commit_hash: head,
      verdict: verdict === 'approve' ? 'approved' : 'changes_requested',
    };
    rows.push({ op: 'put', table: 'forge_reviews', row });
  }
  const pullRequest = toLocalMapping(pr, service.webUrl);
  return {
    pr: pullRequest,
    result: { prId: pullRequest.prId, url: pullRequest.url, verdict },
    rows,
    events: [
      toLocalEvent(pr, service.webUrl, {
        kind: KINDS[verdict],
        id: `review:${sha256(actor.operationId).slice(0, 12)}`,
        author: actor.author,
        text: formatLocalReview(review),
        at: actor.at,
      }),
    ],
  };
};

const NO_TEXT: ReviewComment = {
  path: '',
  line: null,
  startLine: null,
  side: 'after',
  body: '',
  suggestion: null,
  replyTo: null,
};

/**
 * Throws SvcError `conflict` for a pull request that is over, for new commits, and for a decision
 * about one's own work.
 */
async function checkOpenAtHead(
  { repo }: LocalForgeWrites,
  pr: PrRow,
  { head, verdict }: ReviewWrite,
  { author }: ForgeActor,
): Promise<void> {
  const prId = formatLocalPrId(pr.repo, pr.number);
  checkReviewable({ prId, state: pr.state });
  if (isDecision(verdict)) checkApprover(pr, author);
  checkReviewed({ prId }, (await findBranch(repo.repository, pr.head)) ?? '', head);
}

/** Comments on code with their replies; a line of an earlier commit may be gone. */
export const listLocalThreads = (comments: readonly CommentRow[], head: string): ReviewThread[] =>
  comments
    .filter(({ path, in_reply_to: parent }) => path !== null && parent === null)
    .map((first) => ({
      id: first.id,
      path: first.path ?? '',
      line: first.commit_hash === head ? first.line : null,
      ...(first.side === 'before' ? { side: 'before' as const } : {}),
      resolved: first.resolved_at !== null,
      commentIds: [
        first.id,
        ...comments
          .filter((one) => findRootCommentId(one, comments) === first.id)
          .map(({ id }) => id),
      ],
    }));

/** Id of the thread's first comment; null for a comment without a thread. */
function findRootCommentId(comment: CommentRow, all: readonly CommentRow[]): string | null {
  let root = comment.in_reply_to;
  for (let steps = 0; steps < all.length; steps += 1) {
    const parent = all.find(({ id }) => id === root)?.in_reply_to ?? null;
    if (parent === null) break;
    root = parent;
  }
  return root;
}

/** No change where the thread is already in this state. Throws SvcError `not-found`. */
export function resolveLocalThread(
  service: LocalForgeWrites,
  { repo, number, id, resolved }: PrAddress & { id: string; resolved: boolean },
  { author, at }: ForgeActor,
): Pick<ForgeChange, 'rows'> {
  readPrRow(service.rows, repo, number);
  const row = service.rows.one('forge_comments', { repo, number, id });
  if (!row || row.path === null || row.in_reply_to !== null)
    throw new SvcError(
      'not-found',
      `${formatLocalPrId(repo, number)} has no review thread ${JSON.stringify(id)}.`,
    );
  if ((row.resolved_at !== null) === resolved) return { rows: [] };
  const changedRow: CommentRow = {
    ...row,
    resolved_at: resolved ? at : null,
    resolved_by: resolved ? author : null,
  };
  return { rows: [{ op: 'put', table: 'forge_comments', row: changedRow }] };
}
