import { describePullRequest } from '../../../base/text/describePullRequest.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import type {
  ForgeActor,
  ForgeChange,
  PrAddress,
  ReviewPart,
} from '../../../contract/forge/forge.ts';
import type { ReviewComment, ReviewWrite } from '../../../contract/forge/review.ts';
import { addMark } from '../../../git/marks.ts';
import { toForgeAnswer } from '../../rest/answers.ts';
import { isNumericId } from '../../rest/expectedValues.ts';
import { checkReviewable, isDecision, createReplyPart } from '../../rest/reviewing.ts';
import { createOwnWorkError } from '../../rest/merging.ts';
import { createUnconfirmedError } from '../../rest/refusal.ts';
import { appendSuggestion } from '../../rest/appendSuggestion.ts';
import { isWrittenBy } from './isWrittenBy.ts';
import type { GithubClient } from './client.ts';
import { toRestMapping } from './describe.ts';
import { readRestPr } from './readRestPr.ts';
import { resolveThreadQuery, unresolveThreadQuery } from './queries.ts';

const EVENTS = {
  approve: 'APPROVE',
  request_changes: 'REQUEST_CHANGES',
  comment: 'COMMENT',
} as const;
/** The state in which GitHub shows the outcome of each event. */
const STATES = {
  approve: 'APPROVED',
  request_changes: 'CHANGES_REQUESTED',
  comment: 'COMMENTED',
} as const;
const SIDES = { before: 'LEFT', after: 'RIGHT' } as const;

/**
 * GitHub takes replies and comments on whole files only outside of a review; the rest is one
 * review.
 */
export function splitGithubReview(review: ReviewWrite): ReviewPart[] {
  const { comments, body, verdict } = review;
  const inReview = [...comments.entries()].filter(
    ([, { replyTo, line }]) => replyTo === null && line !== null,
  );
  const alone = [...comments.entries()].flatMap(([index, comment]): ReviewPart[] => {
    if (comment.replyTo !== null) return [createReplyPart(review, comment, index)];
    if (comment.line !== null) return [];
    const args: ReviewWrite = { ...review, verdict: 'comment', body: '', comments: [comment] };
    return [{ id: `c${index}`, operation: 'review_pr', args, comments: [index], decides: false }];
  });
  if (inReview.length === 0 && body === '' && !isDecision(verdict)) return alone;
  const main: ReviewPart = {
    id: 'review',
    operation: 'review_pr',
    args: { ...review, comments: inReview.map(([, comment]) => comment) },
    comments: inReview.map(([index]) => index),
    decides: isDecision(verdict),
  };
  return [...alone, main];
}

/** The only comment of a part that is on a whole file; null = the part is a review. */
const findFileComment = ({ comments, verdict, body }: ReviewWrite): ReviewComment | null => {
  const [first] = comments;
  return comments.length === 1 && first?.line === null && !isDecision(verdict) && body === ''
    ? first
    : null;
};

/** Marks each comment: where a person shares the account, the mark tells whose it is. */
const toGithubReviewComment = (comment: ReviewComment, operationId: string) => {
  const { path, line, startLine, side } = comment;
  const isMany = startLine !== null && startLine !== line;
  return {
    path,
    body: addMark(appendSuggestion(comment), operationId),
    side: SIDES[side],
    ...(line === null ? {} : { line }),
    ...(isMany ? { start_line: startLine, start_side: SIDES[side] } : {}),
  };
};

/** Written about the reviewed commit, whatever came since: GitHub takes its hash. */
export async function reviewGithubPr(
  client: GithubClient,
  args: ReviewWrite,
  { operationId }: ForgeActor,
): Promise<ForgeChange> {
  const { repo, number, head, verdict, body, comments } = args;
  const data = await readRestPr(client, args);
  const pr = toRestMapping(data);
  checkReviewable(pr);
  if (isDecision(verdict)) {
    const self = await client.self();
    if (data.user?.login === self) throw createOwnWorkError(self, pr.prId, 'GitHub');
  }
  const place = { ...client.place(repo), pull_number: number };
  const file = findFileComment(args);
  if (file) {
    const { data: createdComment } = await client.run(
      describePullRequest(args.repo, args.number),
      (octokit) =>
        octokit.rest.pulls.createReviewComment({
          ...place,
          commit_id: head,
          path: file.path,
          subject_type: 'file',
          body: addMark(appendSuggestion(file), operationId),
        }),
    );
    if (!isNumericId(Object(createdComment).id))
      throw createUnconfirmedError(client.server, describePullRequest(args.repo, args.number));
    return toForgeAnswer(pr, { prId: pr.prId, url: createdComment.html_url });
  }
  const { data: review } = await client.run(
    describePullRequest(args.repo, args.number),
    (octokit) =>
      octokit.rest.pulls.createReview({
        ...place,
        commit_id: head,
        event: EVENTS[verdict],
        body: addMark(body, operationId),
        comments: comments.map((one, index) =>
          toGithubReviewComment(one, `${operationId}/c${index}`),
        ),
      }),
  );
  if (Object(review).state !== STATES[verdict])
    throw createUnconfirmedError(client.server, `the review of ${pr.prId}`);
  return toForgeAnswer(pr, { prId: pr.prId, url: review.html_url });
}

export async function findGithubReview(
  client: GithubClient,
  args: ReviewWrite,
  { operationId }: ForgeActor,
): Promise<ForgeChange | null> {
  const { repo, number } = args;
  const place = { ...client.place(repo), pull_number: number };
  const self = await client.self();
  const all = await client.list<WrittenReviewPart>(
    describePullRequest(args.repo, args.number),
    ({ rest: { pulls } }, page) =>
      findFileComment(args)
        ? pulls.listReviewComments({ ...place, ...page })
        : pulls.listReviews({ ...place, ...page }),
  );
  const mine = all.find((one) => isWrittenBy(self, one, operationId));
  if (!mine) return null;
  const pr = toRestMapping(await readRestPr(client, args));
  return toForgeAnswer(pr, { prId: pr.prId, url: mine.html_url });
}

interface WrittenReviewPart {
  body?: string | null;
  user: { login: string } | null;
  html_url: string;
}

interface ThreadState {
  thread: { thread: { id: string; isResolved: boolean } | null } | null;
}

export async function resolveGithubThread(
  client: GithubClient,
  { id, resolved, ...address }: PrAddress & { id: string; resolved: boolean },
): Promise<{ rows: [] }> {
  const about = `review thread ${id} of ${describePullRequest(address.repo, address.number)}`;
  const query = resolved ? resolveThreadQuery : unresolveThreadQuery;
  const { data } = await client.graphql<ThreadState>(about, query, { id });
  if (data.thread?.thread?.isResolved !== resolved)
    throw new SvcError('not-found', `${client.server.host} has no ${about}.`);
  return { rows: [] };
}
