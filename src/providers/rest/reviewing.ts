import type { ReviewPart } from '../../contract/forge/forge.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { PrMapping } from '../../contract/schema/forge/pr.ts';
import type { Decision, ReviewComment, ReviewWrite } from '../../contract/forge/review.ts';
import { appendSuggestion } from './appendSuggestion.ts';

/** Length of a commit's hash for people. */
const SHOWN = 12;

/** Whether two hashes name the same commit: Bitbucket gives only the first 12 characters. */
export const isSameCommit = (one: string, other: string): boolean =>
  one.length >= SHOWN && other.length >= SHOWN && (one.startsWith(other) || other.startsWith(one));

export const createHeadMovedError = (
  prId: string,
  reviewedHead: string,
  newest: string,
): SvcError =>
  new SvcError(
    'conflict',
    `${prId} has new commits: ${reviewedHead.slice(0, SHOWN)} was reviewed, ${newest.slice(0, SHOWN) || 'an unknown commit'} is the newest. Nothing was sent. Look at the new commits, then send it again.`,
    { data: { reason: 'head-moved', reviewed: reviewedHead, newest } },
  );

/** Throws SvcError `conflict` where the newest commit is not the one that was reviewed. */
export function checkReviewed(
  { prId }: Pick<PrMapping, 'prId'>,
  newest: string,
  reviewedHead: string | undefined,
): void {
  if (reviewedHead !== undefined && !isSameCommit(newest, reviewedHead))
    throw createHeadMovedError(prId, reviewedHead, newest);
}

export function formatPlacedComment(comment: ReviewComment): string {
  const { path, line, startLine, side } = comment;
  const lines = startLine !== null && startLine !== line ? `${startLine}-${line}` : line;
  const where = `${path}${lines === null ? '' : `:${lines}`}${side === 'before' ? ' (before the change)' : ''}`;
  return `On \`${where}\`:\n\n${appendSuggestion(comment)}`;
}

export const isDecision = (verdict: ReviewWrite['verdict']): verdict is Decision =>
  verdict !== 'comment';

export const createReplyPart = (
  { repo, number }: ReviewWrite,
  comment: ReviewComment,
  index: number,
): ReviewPart => ({
  id: `c${index}`,
  operation: 'reply_to_comment',
  args: { repo, number, commentId: comment.replyTo ?? '', body: appendSuggestion(comment) },
  comments: [index],
  decides: false,
});

/** The whole review as one part, for a forge that has reviews. */
export const toOneReviewPart = (review: ReviewWrite): ReviewPart[] => [
  {
    id: 'review',
    operation: 'review_pr',
    args: review,
    comments: review.comments.map((_, index) => index),
    decides: isDecision(review.verdict),
  },
];

/**
 * Each comment, then the text, then the decision: for a forge without reviews. The decision is
 * last, so that the comments can be read with it.
 */
export function splitIntoReviewParts(review: ReviewWrite): ReviewPart[] {
  const { repo, number, head, verdict, body } = review;
  const parts = review.comments.map((comment, index): ReviewPart => {
    if (comment.replyTo !== null) return createReplyPart(review, comment, index);
    const args: ReviewWrite = { ...review, verdict: 'comment', body: '', comments: [comment] };
    return { id: `c${index}`, operation: 'review_pr', args, comments: [index], decides: false };
  });
  if (body !== '')
    parts.push({
      id: 'body',
      operation: 'post_pr_comment',
      args: { repo, number, body },
      comments: [],
      decides: false,
    });
  if (verdict === 'approve')
    parts.push({
      id: 'verdict',
      operation: 'approve_pr',
      args: { repo, number, head },
      comments: [],
      decides: true,
    });
  if (verdict === 'request_changes')
    parts.push({
      id: 'verdict',
      operation: 'review_pr',
      args: { ...review, body: '', comments: [] },
      comments: [],
      decides: true,
    });
  return parts;
}

/** Throws SvcError `conflict` for a pull request that is over. */
export function checkReviewable({ prId, state }: Pick<PrMapping, 'prId' | 'state'>): void {
  if (state !== 'open')
    throw new SvcError('conflict', `${prId} is ${state}: only an open one can be reviewed.`, {
      data: { state },
    });
}

/** For a forge that takes no comments on code: the text names the place. */
export const splitIntoTextParts = (review: ReviewWrite): ReviewPart[] =>
  splitIntoReviewParts(review).map((part) => {
    const [index] = part.comments;
    if (part.operation !== 'review_pr' || index === undefined) return part;
    const [comment] = part.args.comments;
    const { repo, number } = review;
    const body = comment ? formatPlacedComment(comment) : '';
    return { ...part, operation: 'post_pr_comment', args: { repo, number, body } };
  });
