import type { Forge, PrDetail } from '../../contract/forge/forge.ts';
import type { ReviewComment } from '../../contract/forge/review.ts';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import { readDiffPlaces, explainMissingPlace } from '../../providers/rest/diffPlaces.ts';
import { checkReviewable, checkReviewed, isDecision } from '../../providers/rest/reviewing.ts';
import type { ReviewBody } from '../../contract/schema/forge/review.ts';
import { explainDecisionProblem } from './loadJobPullRequest.ts';
import type { ReviewContent, ReviewOutcome } from './reviewRows.ts';

/** The note at the end of a diff that was cut. */
const CUT = /^# The diff is longer than /m;

/** Checked here because it depends on several members. */
function findReviewBodyProblems(
  { body, verdict = 'comment' }: ReviewBody,
  comments: ReviewComment[],
) {
  const errors = comments.flatMap((comment, index) =>
    findCommentProblems(comment).map(([member, message]) => ({
      pointer: `/comments/${index}/${member}`,
      message,
    })),
  );
  const isEmpty = verdict === 'comment' && (body ?? '').trim() === '' && comments.length === 0;
  return isEmpty
    ? [{ pointer: '/body', message: 'a review without a decision needs a text or a comment' }]
    : errors;
}

function findCommentProblems({
  line,
  startLine,
  side,
  body,
  suggestion,
  replyTo,
}: ReviewComment): [member: string, message: string][] {
  const fragments: [string, string][] = [];
  if (body.trim() === '' && suggestion === null)
    fragments.push(['body', 'is empty: write the text']);
  if (replyTo !== null && (line !== null || suggestion !== null))
    fragments.push(['replyTo', 'an answer has neither a line nor a suggestion']);
  if (startLine !== null && (line === null || startLine > line))
    fragments.push(['startLine', 'must be a line before `line`']);
  if (suggestion !== null && (line === null || side === 'before'))
    fragments.push([
      'suggestion',
      'replaces lines after the change: `line` names the last of them',
    ]);
  return fragments;
}

/** Throws SvcError `invalid`. */
export function checkReviewBody(body: ReviewBody, comments: ReviewComment[]): void {
  const errors = findReviewBodyProblems(body, comments);
  if (errors.length === 0) return;
  const errorTexts = errors.map(({ pointer, message }) => `${pointer} ${message}`).join('; ');
  throw new SvcError('invalid', `The review is not valid: ${errorTexts}.`, { errors });
}

/**
 * Finds out, before anything is written, which comments of a review have no place at its forge, and
 * whether the decision can be given. Throws SvcError `conflict` for a pull request that is over or
 * has new commits.
 */
export async function previewReview(
  forge: Forge,
  pr: PrDetail,
  { head, verdict = 'comment' }: ReviewBody,
  { body, comments }: ReviewContent,
): Promise<ReviewOutcome> {
  checkReviewable(pr);
  checkReviewed(pr, pr.headCommit, head);
  const problem = isDecision(verdict) ? await explainDecisionProblem(forge, pr, verdict) : null;
  const placeProblems = await findPlaceProblems(forge, pr, comments);
  const placedIndexes = [...comments.keys()].filter(
    (index) => (placeProblems[index] ?? null) === null,
  );
  return {
    given: {
      state: !isDecision(verdict) ? 'none' : problem === null ? 'queued' : 'elsewhere',
      reason: problem,
      url: problem === null ? null : pr.url,
    },
    text: body === '' ? null : 'queued',
    placed: placedIndexes,
    comments: comments.map(({ path, line }, index) => {
      const reason = placeProblems[index] ?? null;
      return { path, line, state: reason === null ? 'queued' : 'rejected', reason };
    }),
  };
}

async function findPlaceProblems(
  forge: Forge,
  pr: PrDetail,
  comments: readonly ReviewComment[],
): Promise<(string | null)[]> {
  const threadIds = new Set(pr.thread.map(({ id }) => id));
  const diff = comments.some(({ replyTo }) => replyTo === null)
    ? await readWholeDiff(forge, pr)
    : null;
  const places = diff === null ? null : readDiffPlaces(diff);
  return comments.map((comment) => {
    if (comment.replyTo !== null)
      return threadIds.has(comment.replyTo) ? null : `there is no comment ${comment.replyTo}`;
    return places === null ? null : explainMissingPlace(places, comment);
  });
}

/** Null where the forge does not give the whole diff: it then checks each comment itself. */
async function readWholeDiff(forge: Forge, { repo, number }: PrDetail): Promise<string | null> {
  try {
    const diff = await forge.diff(repo, number);
    return CUT.test(diff) ? null : diff;
  } catch (error) {
    if (error instanceof SvcError && error.code !== 'unreachable') return null;
    throw new SvcError('unreachable', toErrorMessage(error), { cause: error });
  }
}
