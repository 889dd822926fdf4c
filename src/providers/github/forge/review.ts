import { SvcError } from '../../../lib/errors.ts';
import type { ForgeActor, ForgeChange, PrAddress, ReviewPart } from '../../../contract/forge.ts';
import type { ReviewComment, ReviewWrite } from '../../../contract/review.ts';
import { marked } from '../../../git/marks.ts';
import { answerOf } from '../../rest/answers.ts';
import { isNumericId } from '../../rest/expectedValues.ts';
import { checkReviewable, isDecision, replyPart } from '../../rest/reviewing.ts';
import { ownWork } from '../../rest/merging.ts';
import { unlikeAnAnswer } from '../../rest/refusal.ts';
import { withSuggestion } from '../../rest/suggestion.ts';
import { isWrittenBy } from './isWrittenBy.ts';
import type { GithubClient } from './client.ts';
import { restMappingOf } from './describe.ts';
import { resolveThreadQuery, unresolveThreadQuery } from './queries.ts';

const EVENTS = {
  approve: 'APPROVE',
  request_changes: 'REQUEST_CHANGES',
  comment: 'COMMENT',
} as const;
/** How GitHub shows what each event brings about. */
const STATES = {
  approve: 'APPROVED',
  request_changes: 'CHANGES_REQUESTED',
  comment: 'COMMENTED',
} as const;
const SIDES = { before: 'LEFT', after: 'RIGHT' } as const;

const what = ({ repo, number }: PrAddress): string => `pull request ${repo}#${number}`;

/**
 * Answers and comments on whole files cannot be part of a review at GitHub; all else is one review.
 */
export function reviewParts(review: ReviewWrite): ReviewPart[] {
  const { comments, body, verdict } = review;
  const inReview = [...comments.entries()].filter(
    ([, { replyTo, line }]) => replyTo === null && line !== null,
  );
  const alone = [...comments.entries()].flatMap(([index, comment]): ReviewPart[] => {
    if (comment.replyTo !== null) return [replyPart(review, comment, index)];
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

/** The only comment of a part that is about a whole file; null = the part is a review. */
const onFile = ({ comments, verdict, body }: ReviewWrite): ReviewComment | null => {
  const [first] = comments;
  return comments.length === 1 && first?.line === null && !isDecision(verdict) && body === ''
    ? first
    : null;
};

/** Each comment has a mark of its own: where a person shares the account, it tells whose it is. */
const placed = (comment: ReviewComment, operationId: string) => {
  const { path, line, startLine, side } = comment;
  const isMany = startLine !== null && startLine !== line;
  return {
    path,
    body: marked(withSuggestion(comment), operationId),
    side: SIDES[side],
    ...(line === null ? {} : { line }),
    ...(isMany ? { start_line: startLine, start_side: SIDES[side] } : {}),
  };
};

/** Written about the commit that was reviewed, whatever came since: GitHub takes its name. */
export async function reviewPr(
  client: GithubClient,
  args: ReviewWrite,
  { operationId }: ForgeActor,
): Promise<ForgeChange> {
  const { repo, number, head, verdict, body, comments } = args;
  const { data } = await client.run(what(args), (octokit) =>
    octokit.rest.pulls.get({ ...client.place(repo), pull_number: number }),
  );
  const pr = restMappingOf(data);
  checkReviewable(pr);
  if (isDecision(verdict)) {
    const self = await client.self();
    if (data.user?.login === self) throw ownWork(self, pr.prId, 'GitHub');
  }
  const place = { ...client.place(repo), pull_number: number };
  const file = onFile(args);
  if (file) {
    const { data: made } = await client.run(what(args), (octokit) =>
      octokit.rest.pulls.createReviewComment({
        ...place,
        commit_id: head,
        path: file.path,
        subject_type: 'file',
        body: marked(withSuggestion(file), operationId),
      }),
    );
    if (!isNumericId(Object(made).id)) throw unlikeAnAnswer(client.server, what(args));
    return answerOf(pr, { prId: pr.prId, url: made.html_url });
  }
  const { data: review } = await client.run(what(args), (octokit) =>
    octokit.rest.pulls.createReview({
      ...place,
      commit_id: head,
      event: EVENTS[verdict],
      body: marked(body, operationId),
      comments: comments.map((one, index) => placed(one, `${operationId}/c${index}`)),
    }),
  );
  if (Object(review).state !== STATES[verdict])
    throw unlikeAnAnswer(client.server, `the review of ${pr.prId}`);
  return answerOf(pr, { prId: pr.prId, url: review.html_url });
}

/** What the operation wrote; null = not visible. */
export async function findReview(
  client: GithubClient,
  args: ReviewWrite,
  { operationId }: ForgeActor,
): Promise<ForgeChange | null> {
  const { repo, number } = args;
  const place = { ...client.place(repo), pull_number: number };
  const self = await client.self();
  const all = await client.list<Written>(what(args), ({ rest: { pulls } }, page) =>
    onFile(args)
      ? pulls.listReviewComments({ ...place, ...page })
      : pulls.listReviews({ ...place, ...page }),
  );
  const mine = all.find((one) => isWrittenBy(self, one, operationId));
  if (!mine) return null;
  const { data } = await client.run(what(args), (octokit) => octokit.rest.pulls.get(place));
  const pr = restMappingOf(data);
  return answerOf(pr, { prId: pr.prId, url: mine.html_url });
}

interface Written {
  body?: string | null;
  user: { login: string } | null;
  html_url: string;
}

interface ThreadState {
  thread: { thread: { id: string; isResolved: boolean } | null } | null;
}

export async function resolveThread(
  client: GithubClient,
  { id, resolved, ...address }: PrAddress & { id: string; resolved: boolean },
): Promise<{ rows: [] }> {
  const about = `review thread ${id} of ${what(address)}`;
  const query = resolved ? resolveThreadQuery : unresolveThreadQuery;
  const { data } = await client.graphql<ThreadState>(about, query, { id });
  if (data.thread?.thread?.isResolved !== resolved)
    throw new SvcError('not-found', `${client.server.host} has no ${about}.`);
  return { rows: [] };
}
