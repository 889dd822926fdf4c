import type {
  ReviewBody,
  ReviewCommentBody,
  ReviewVerdict,
} from '../../../src/contract/schema/forge/review.ts';
import { toReviewCommentBody, type DraftComment, quoteComment } from './review/reviewDraft.ts';
import type { PullRequestReview } from './createPullRequestReview.ts';

/**
 * What is sent: comments at their lines. Those whose file is not in the changes any more are part of
 * the summary, with the line they were about.
 */
export function buildReviewBody(
  review: Pick<PullRequestReview, 'fileAt'>,
  {
    head,
    verdict,
    summary,
    comments,
  }: { head: string; verdict: ReviewVerdict; summary: string; comments: readonly DraftComment[] },
): ReviewBody {
  const placed: ReviewCommentBody[] = [];
  const texts = summary.trim() === '' ? [] : [summary.trim()];
  for (const comment of comments) {
    const body = toReviewCommentBody(comment, review.fileAt(comment.path));
    if (body) placed.push(body);
    else texts.push(quoteComment(comment));
  }
  return {
    head,
    verdict,
    ...(texts.length === 0 ? {} : { body: texts.join('\n\n') }),
    ...(placed.length === 0 ? {} : { comments: placed }),
  };
}
