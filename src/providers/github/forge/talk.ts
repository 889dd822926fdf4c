import type { ForgeActor, ForgeChange, ForgeOperations } from '../../../contract/forge.ts';
import { marked } from '../../../git/marks.ts';
import { at } from '../../../lib/untrusted.ts';
import { answerOf, commentAnswer } from '../../rest/answers.ts';
import { checkText, noSuchCommentId } from '../../rest/creation.ts';
import { isNumericId } from '../../rest/expectedValues.ts';
import { checkApprovable, ownWork } from '../../rest/merging.ts';
import { checkReviewed } from '../../rest/reviewing.ts';
import { unlikeAnAnswer } from '../../rest/refusal.ts';
import { isWrittenBy } from './isWrittenBy.ts';
import type { GithubClient, Place } from './client.ts';
import { commentId, restMappingOf } from './describe.ts';

type Post = ForgeOperations['post_pr_comment'];
type Reply = ForgeOperations['reply_to_comment'];
type Approval = ForgeOperations['approve_pr'];

/** How much earlier than our own clock the forge's may say that it was written, ms. */
const CLOCKS_APART_MS = 5 * 60_000;
/** Longest line of a comment that a reply quotes, characters. */
const MAX_QUOTE_CHARS = 200;

interface Written {
  id: number;
  html_url: string;
  body?: string | null;
  user: { login: string } | null;
}

const what = (repo: string, number: number): string => `pull request ${repo}#${number}`;

const pullRequest = async (client: GithubClient, repo: string, number: number) =>
  (
    await client.run(what(repo, number), (octokit) =>
      octokit.rest.pulls.get({ ...client.place(repo), pull_number: number }),
    )
  ).data;

const mapping = async (client: GithubClient, { repo, number }: Approval) =>
  restMappingOf(await pullRequest(client, repo, number));

/** The id of what was written. */
function written(client: GithubClient, { repo, number }: Approval, data: unknown): number | string {
  const { id, html_url: url } = Object(data);
  if (isNumericId(id) && typeof url === 'string') return id;
  throw unlikeAnAnswer(client.server, what(repo, number));
}

export async function postComment(
  client: GithubClient,
  args: Post,
  { operationId }: ForgeActor,
): Promise<ForgeChange> {
  const pr = await mapping(client, args);
  const { data } = await client.run(what(args.repo, args.number), (octokit) =>
    octokit.rest.issues.createComment({
      ...client.place(args.repo),
      issue_number: args.number,
      body: marked(checkText(args.body), operationId),
    }),
  );
  return commentAnswer(pr, {
    id: commentId.issue(written(client, args, data)),
    url: data.html_url,
    inReplyTo: null,
  });
}

/**
 * A comment in the code is answered in its thread; other comments have none, so the answer quotes
 * them.
 */
export async function replyToComment(
  client: GithubClient,
  args: Reply,
  { operationId }: ForgeActor,
): Promise<ForgeChange> {
  const { repo, number } = args;
  const body = checkText(args.body);
  const [, kind, id] = /^(issue|review|thread)-(\d{1,20})$/.exec(args.commentId) ?? [];
  if (kind === undefined) throw noSuchCommentId(args.commentId);
  const place = client.place(repo);
  const pr = await mapping(client, args);
  const about = `comment ${args.commentId} of ${what(repo, number)}`;
  if (kind === 'thread') {
    const { data } = await client.run(about, (octokit) =>
      // With the id in the address: as a number, one of 64 bits would become another one.
      octokit.request(`POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/${id}/replies`, {
        ...place,
        pull_number: number,
        body: marked(body, operationId),
      }),
    );
    const made = written(client, args, data);
    return commentAnswer(pr, {
      id: commentId.thread(made),
      url: data.html_url,
      inReplyTo: args.commentId,
    });
  }
  const quoted = await client.run(about, (octokit) =>
    original(octokit, place, number, kind, id ?? ''),
  );
  const { data } = await client.run(about, (octokit) =>
    octokit.rest.issues.createComment({
      ...place,
      issue_number: number,
      body: marked(`${quote(quoted)}\n\n${body}`, operationId),
    }),
  );
  return commentAnswer(pr, {
    id: commentId.issue(written(client, args, data)),
    url: data.html_url,
    inReplyTo: args.commentId,
  });
}

async function original(
  octokit: GithubClient['octokit'],
  place: Place,
  number: number,
  kind: string,
  id: string,
): Promise<Written> {
  const path = kind === 'issue' ? `issues/comments/${id}` : `pulls/${number}/reviews/${id}`;
  return (await octokit.request(`GET /repos/{owner}/{repo}/${path}`, place)).data as Written;
}

const quote = ({ body, user }: Written): string => {
  const [line = ''] = (body ?? '').trim().split('\n');
  return `> ${user ? `${user.login}: ` : ''}${line.slice(0, MAX_QUOTE_CHARS)}`;
};

export async function approvePr(
  client: GithubClient,
  args: Approval,
  { operationId }: ForgeActor,
): Promise<ForgeChange> {
  const { repo, number } = args;
  const data = await pullRequest(client, repo, number);
  const pr = restMappingOf(data);
  checkApprovable(pr);
  checkReviewed(pr, data.head.sha, args.head);
  const self = await client.self();
  if (data.user?.login === self) throw ownWork(self, pr.prId, 'GitHub');
  const given = (await reviews(client, args)).find(
    (one) =>
      at(one, 'state') === 'APPROVED' &&
      at(one, 'user', 'login') === self &&
      at(one, 'commit_id') === data.head.sha,
  );
  if (given) return approval(pr, self, true);
  const { data: review } = await client.run(what(repo, number), (octokit) =>
    octokit.rest.pulls.createReview({
      ...client.place(repo),
      pull_number: number,
      commit_id: data.head.sha,
      event: 'APPROVE',
      body: marked('', operationId),
    }),
  );
  if (Object(review).state !== 'APPROVED')
    throw unlikeAnAnswer(client.server, `the approval of ${pr.prId}`);
  return approval(pr, self, false);
}

const approval = (
  pr: ReturnType<typeof restMappingOf>,
  self: string,
  existing: boolean,
): ForgeChange => answerOf(pr, { prId: pr.prId, url: pr.url, approvals: [self], existing });

const reviews = (client: GithubClient, { repo, number }: Approval) =>
  client.list<unknown>(what(repo, number), ({ rest }, page) =>
    rest.pulls.listReviews({ ...client.place(repo), pull_number: number, ...page }),
  );

/** The comment that the operation wrote; null = not visible. */
export async function findComment(
  client: GithubClient,
  args: Post | Reply,
  actor: ForgeActor,
): Promise<ForgeChange | null> {
  const { repo, number } = args;
  const since = new Date(actor.at - CLOCKS_APART_MS).toISOString();
  const inReplyTo = 'commentId' in args ? args.commentId : null;
  const inThread = inReplyTo?.startsWith('thread-') === true;
  const place = client.place(repo);
  const all = await client.list<Written>(what(repo, number), ({ rest }, page) =>
    inThread
      ? rest.pulls.listReviewComments({ ...place, pull_number: number, since, ...page })
      : rest.issues.listComments({ ...place, issue_number: number, since, ...page }),
  );
  const self = await client.self();
  const mine = all.find((one) => isWrittenBy(self, one, actor.operationId));
  if (!mine) return null;
  const id = inThread ? commentId.thread(mine.id) : commentId.issue(mine.id);
  return commentAnswer(await mapping(client, args), { id, url: mine.html_url, inReplyTo });
}

export async function findApproval(
  client: GithubClient,
  args: Approval,
  actor: ForgeActor,
): Promise<ForgeChange | null> {
  const self = await client.self();
  const mine = (await reviews(client, args)).find((one) =>
    isWrittenBy(self, one, actor.operationId),
  );
  return mine ? approval(await mapping(client, args), self, false) : null;
}
