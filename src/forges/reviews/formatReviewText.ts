import { clip } from '../../base/text/clip.ts';
import { MAX_MESSAGE_CHARS } from '../../base/limits/jobLimits.ts';
import { formatPlacedComment } from '../../providers/rest/reviewing.ts';
import { appendSuggestion } from '../../providers/rest/appendSuggestion.ts';
import type { ReviewVerdict } from '../../contract/schema/forge/review.ts';
import type { ReviewContent } from './reviewRows.ts';

const DECIDED: Readonly<Record<ReviewVerdict, string>> = {
  approve: 'approved',
  request_changes: 'changes requested',
  comment: 'comments',
};
/** Characters of a commit's hash that agents are shown. */
const SHOWN = 12;
const ROOM = 100;

export function formatReviewText(
  { prId, head, verdict }: { prId: string; head: string; verdict: ReviewVerdict },
  { body, comments }: ReviewContent,
): string {
  const placedTexts = comments.map((comment, index) =>
    comment.replyTo === null
      ? `${index + 1}. ${formatPlacedComment(comment)}`
      : `${index + 1}. Answer to comment ${comment.replyTo}:\n\n${appendSuggestion(comment)}`,
  );
  const text = [
    `Review of ${prId} at commit ${head.slice(0, SHOWN)}: ${DECIDED[verdict]}.`,
    body,
    ...placedTexts,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
  return clip(
    text,
    MAX_MESSAGE_CHARS - ROOM,
    (remaining) => `\n(${remaining} more characters: get_pr_comments reads them at the forge.)`,
  );
}
