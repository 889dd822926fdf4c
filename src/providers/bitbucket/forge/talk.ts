import { SvcError } from '../../../lib/errors.ts';
import type { PrMapping } from '../../../schema/pr.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../../../contract/forge.ts';
import { hasMark, linkMarked } from '../../../git/marks.ts';
import { answerOf, commentAnswer } from '../../rest/answers.ts';
import { checkText, noSuchCommentId } from '../../rest/creation.ts';
import { isNumericId } from '../../rest/expectedValues.ts';
import { checkApprovable } from '../../rest/merging.ts';
import { checkReviewed } from '../../rest/reviewing.ts';
import type { BitbucketClient } from './client.ts';
import { headOf, mappingOf, nameOf, whatOf } from './describe.ts';
import { readComments, readPr } from './readPullRequest.ts';
import type { Account, Comment, Participant, PullRequest } from './resources.ts';

type Post = ForgeOperations['post_pr_comment'];
type Reply = ForgeOperations['reply_to_comment'];
type Approval = ForgeOperations['approve_pr'];

const answered = (pr: PrMapping, { id, links, parent }: Comment): ForgeChange =>
  commentAnswer(pr, {
    id: String(id),
    url: links.html.href,
    inReplyTo: parent ? String(parent.id) : null,
  });

async function write(
  client: BitbucketClient,
  { repo, number, body }: Post,
  operationId: string,
  parent: object,
) {
  const raw = linkMarked(checkText(body), operationId);
  const pr = mappingOf(await readPr(client, repo, number));
  const what = whatOf(repo, number);
  const made = await client.send<Comment>(
    what,
    'POST',
    `${client.pr(repo, number)}/comments`,
    { content: { raw }, ...parent },
    ({ id, links }) => isNumericId(id) && typeof links?.html?.href === 'string',
  );
  client.wrote(made.user);
  return { pr, made };
}

export async function postComment(
  client: BitbucketClient,
  args: Post,
  { operationId }: ForgeActor,
): Promise<ForgeChange> {
  const { pr, made } = await write(client, args, operationId, {});
  return answered(pr, made);
}

/** Every comment has a thread at Bitbucket, in the code or not. */
export async function replyToComment(
  client: BitbucketClient,
  args: Reply,
  { operationId }: ForgeActor,
): Promise<ForgeChange> {
  const { repo, number, commentId } = args;
  if (!/^\d{1,20}$/.test(commentId)) throw noSuchCommentId(commentId);
  const id = Number.isSafeInteger(Number(commentId)) ? Number(commentId) : commentId;
  checkText(args.body);
  const about = `comment ${commentId} of ${whatOf(repo, number)}`;
  await client.get<Comment>(about, `${client.pr(repo, number)}/comments/${id}`);
  const { pr, made } = await write(client, args, operationId, { parent: { id } });
  return answered(pr, { ...made, parent: { id } });
}

/** The comment that the operation wrote; null = not visible. */
export async function findComment(
  client: BitbucketClient,
  args: Post | Reply,
  actor: ForgeActor,
): Promise<ForgeChange | null> {
  const { repo, number } = args;
  const self = await client.self();
  const mine = (await readComments(client, repo, number)).find(
    ({ content, user }) =>
      hasMark(content.raw, actor.operationId) && (self === null || user?.uuid === self.uuid),
  );
  return mine ? answered(mappingOf(await readPr(client, repo, number)), mine) : null;
}

const approval = (pr: PullRequest, self: Account | null, existing: boolean): ForgeChange => {
  const mapping = mappingOf(pr);
  return answerOf(mapping, {
    prId: mapping.prId,
    url: mapping.url,
    approvals: [nameOf(self)],
    existing,
  });
};

const hasApproved = ({ participants = [] }: PullRequest, self: Account | null): boolean =>
  participants.some(({ approved, user }) => approved && user.uuid === self?.uuid);

export async function approvePr(
  client: BitbucketClient,
  { repo, number, head }: Approval,
): Promise<ForgeChange> {
  const pr = await readPr(client, repo, number);
  checkApprovable(mappingOf(pr));
  checkReviewed(mappingOf(pr), headOf(pr), head);
  const self = await client.self();
  if (hasApproved(pr, self)) return approval(pr, self, true);
  try {
    const { user } = await client.send<Participant>(
      whatOf(repo, number),
      'POST',
      `${client.pr(repo, number)}/approve`,
      {},
      (answer) => answer.approved === true,
    );
    client.wrote(user);
    return approval(pr, user, false);
  } catch (error) {
    if (error instanceof SvcError && /already approved/i.test(error.message))
      return approval(pr, self, true);
    throw error;
  }
}

/**
 * An approval has no text, so it cannot be distinguished from an earlier one: an account has at
 * most one.
 */
export async function findApproval(
  client: BitbucketClient,
  { repo, number }: Approval,
): Promise<ForgeChange | null> {
  const self = await client.self();
  const pr = await readPr(client, repo, number);
  return hasApproved(pr, self) ? approval(pr, self, false) : null;
}
