import type { ReviewBody, ReviewCommentBody, ReviewVerdict } from '../../../src/schema/review.ts';
import { commentBody, type DraftComment, quoted } from './review/reviewDraft.ts';
import type { ReviewOf } from './reviewOf.ts';

/**
 * What is sent: comments at their lines. Those whose file is not in the changes any more are part of
 * the summary, with the line they were about.
 */
export function bodyOfReview(
  review: Pick<ReviewOf, 'fileAt'>,
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
    const body = commentBody(comment, review.fileAt(comment.path));
    if (body) placed.push(body);
    else texts.push(quoted(comment));
  }
  return {
    head,
    verdict,
    ...(texts.length === 0 ? {} : { body: texts.join('\n\n') }),
    ...(placed.length === 0 ? {} : { comments: placed }),
  };
}
