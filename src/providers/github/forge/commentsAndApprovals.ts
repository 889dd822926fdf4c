import { describePullRequest } from '../../../base/text/describePullRequest.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../../../contract/forge/forge.ts';
import { addMark } from '../../../git/marks.ts';
import { readAtPath } from '../../../base/json/untrusted.ts';
import { toForgeAnswer, answerPostedComment } from '../../rest/answers.ts';
import { checkCommentText, createCommentIdError } from '../../rest/creation.ts';
import { isNumericId } from '../../rest/expectedValues.ts';
import { checkApprovable, createOwnWorkError } from '../../rest/merging.ts';
import { checkReviewed } from '../../rest/reviewing.ts';
import { createUnconfirmedError } from '../../rest/refusal.ts';
import { isWrittenBy } from './isWrittenBy.ts';
import type { GithubClient, RepoPlace } from './client.ts';
import { commentId, toRestMapping } from './describe.ts';
import { readRestHead, readRestPr } from './readRestPr.ts';

type Post = ForgeOperations['post_pr_comment'];
type Reply = ForgeOperations['reply_to_comment'];
type Approval = ForgeOperations['approve_pr'];

/** How far the forge's clock may be behind ours, ms. */
const CLOCKS_APART_MS = 5 * 60_000;
/** Longest line of a comment that a reply quotes, characters. */
const MAX_QUOTE_CHARS = 200;

interface WrittenComment {
  id: number;
  html_url: string;
  body?: string | null;
  user: { login: string } | null;
}

const readCommentedMapping = async (client: GithubClient, { repo, number }: Approval) =>
  toRestMapping(await readRestPr(client, { repo, number }));

function readWrittenId(
  client: GithubClient,
  { repo, number }: Approval,
  data: unknown,
): number | string {
  const { id, html_url: url } = Object(data);
  if (isNumericId(id) && typeof url === 'string') return id;
  throw createUnconfirmedError(client.server, describePullRequest(repo, number));
}

export async function postGithubComment(
  client: GithubClient,
  args: Post,
  { operationId }: ForgeActor,
): Promise<ForgeChange> {
  const pr = await readCommentedMapping(client, args);
  const { data } = await client.run(describePullRequest(args.repo, args.number), (octokit) =>
    octokit.rest.issues.createComment({
      ...client.place(args.repo),
      issue_number: args.number,
      body: addMark(checkCommentText(args.body), operationId),
    }),
  );
  return answerPostedComment(pr, {
    id: commentId.issue(readWrittenId(client, args, data)),
    url: data.html_url,
    inReplyTo: null,
  });
}

/**
 * A comment on code is answered in its thread; other comments have none, so the answer quotes them.
 */
export async function replyToGithubComment(
  client: GithubClient,
  args: Reply,
  { operationId }: ForgeActor,
): Promise<ForgeChange> {
  const { repo, number } = args;
  const body = checkCommentText(args.body);
  const [, kind, id] = /^(issue|review|thread)-(\d{1,20})$/.exec(args.commentId) ?? [];
  if (kind === undefined) throw createCommentIdError(args.commentId);
  const place = client.place(repo);
  const pr = await readCommentedMapping(client, args);
  const about = `comment ${args.commentId} of ${describePullRequest(repo, number)}`;
  if (kind === 'thread') {
    const { data } = await client.run(about, (octokit) =>
      octokit.request(`POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/${id}/replies`, {
        ...place,
        pull_number: number,
        body: addMark(body, operationId),
      }),
    );
    const writtenId = readWrittenId(client, args, data);
    return answerPostedComment(pr, {
      id: commentId.thread(writtenId),
      url: data.html_url,
      inReplyTo: args.commentId,
    });
  }
  const quotedComment = await client.run(about, (octokit) =>
    readQuotedComment(octokit, place, number, kind, id ?? ''),
  );
  const { data } = await client.run(about, (octokit) =>
    octokit.rest.issues.createComment({
      ...place,
      issue_number: number,
      body: addMark(`${quoteGithubComment(quotedComment)}\n\n${body}`, operationId),
    }),
  );
  return answerPostedComment(pr, {
    id: commentId.issue(readWrittenId(client, args, data)),
    url: data.html_url,
    inReplyTo: args.commentId,
  });
}

async function readQuotedComment(
  octokit: GithubClient['octokit'],
  place: RepoPlace,
  number: number,
  kind: string,
  id: string,
): Promise<WrittenComment> {
  const path = kind === 'issue' ? `issues/comments/${id}` : `pulls/${number}/reviews/${id}`;
  // Anything that is not a comment quotes nothing.
  return Object((await octokit.request(`GET /repos/{owner}/{repo}/${path}`, place)).data);
}

const quoteGithubComment = ({ body, user }: WrittenComment): string => {
  const [line = ''] = (body ?? '').trim().split('\n');
  return `> ${user ? `${user.login}: ` : ''}${line.slice(0, MAX_QUOTE_CHARS)}`;
};

export async function approveGithubPr(
  client: GithubClient,
  args: Approval,
  { operationId }: ForgeActor,
): Promise<ForgeChange> {
  const { repo, number } = args;
  const data = await readRestPr(client, args);
  const pr = toRestMapping(data);
  const newest = readRestHead(client, data);
  checkApprovable(pr);
  checkReviewed(pr, newest, args.head);
  const self = await client.self();
  if (data.user?.login === self) throw createOwnWorkError(self, pr.prId, 'GitHub');
  const ownApproval = (await listGithubReviews(client, args)).find(
    (one) =>
      readAtPath(one, 'state') === 'APPROVED' &&
      readAtPath(one, 'user', 'login') === self &&
      readAtPath(one, 'commit_id') === newest,
  );
  if (ownApproval) return answerGithubApproval(pr, self, true);
  const { data: review } = await client.run(describePullRequest(repo, number), (octokit) =>
    octokit.rest.pulls.createReview({
      ...client.place(repo),
      pull_number: number,
      commit_id: newest,
      event: 'APPROVE',
      body: addMark('', operationId),
    }),
  );
  if (Object(review).state !== 'APPROVED')
    throw createUnconfirmedError(client.server, `the approval of ${pr.prId}`);
  return answerGithubApproval(pr, self, false);
}

const answerGithubApproval = (
  pr: ReturnType<typeof toRestMapping>,
  self: string,
  existing: boolean,
): ForgeChange => toForgeAnswer(pr, { prId: pr.prId, url: pr.url, approvals: [self], existing });

const listGithubReviews = (client: GithubClient, { repo, number }: Approval) =>
  client.list<unknown>(describePullRequest(repo, number), ({ rest }, page) =>
    rest.pulls.listReviews({ ...client.place(repo), pull_number: number, ...page }),
  );

export async function findGithubComment(
  client: GithubClient,
  args: Post | Reply,
  actor: ForgeActor,
): Promise<ForgeChange | null> {
  const { repo, number } = args;
  const since = new Date(actor.at - CLOCKS_APART_MS).toISOString();
  const inReplyTo = 'commentId' in args ? args.commentId : null;
  const inThread = inReplyTo?.startsWith('thread-') === true;
  const place = client.place(repo);
  const all = await client.list<WrittenComment>(
    describePullRequest(repo, number),
    ({ rest }, page) =>
      inThread
        ? rest.pulls.listReviewComments({ ...place, pull_number: number, since, ...page })
        : rest.issues.listComments({ ...place, issue_number: number, since, ...page }),
  );
  const self = await client.self();
  const mine = all.find((one) => isWrittenBy(self, one, actor.operationId));
  if (!mine) return null;
  const id = inThread ? commentId.thread(mine.id) : commentId.issue(mine.id);
  return answerPostedComment(await readCommentedMapping(client, args), {
    id,
    url: mine.html_url,
    inReplyTo,
  });
}

export async function findGithubApproval(
  client: GithubClient,
  args: Approval,
  actor: ForgeActor,
): Promise<ForgeChange | null> {
  const self = await client.self();
  const mine = (await listGithubReviews(client, args)).find((one) =>
    isWrittenBy(self, one, actor.operationId),
  );
  return mine ? answerGithubApproval(await readCommentedMapping(client, args), self, false) : null;
}
