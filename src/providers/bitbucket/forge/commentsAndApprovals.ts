import { describePullRequest } from '../../../base/text/describePullRequest.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import type { PrMapping } from '../../../contract/schema/forge/pr.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../../../contract/forge/forge.ts';
import { hasMark, addLinkMark } from '../../../git/marks.ts';
import { toForgeAnswer, answerPostedComment } from '../../rest/answers.ts';
import { checkCommentText, createCommentIdError } from '../../rest/creation.ts';
import { isNumericId } from '../../rest/expectedValues.ts';
import { checkApprovable } from '../../rest/merging.ts';
import { checkReviewed } from '../../rest/reviewing.ts';
import type { BitbucketClient } from './client.ts';
import { readBitbucketHead, toBitbucketMapping, pickBitbucketName } from './describe.ts';
import { readBitbucketComments, readBitbucketPr } from './readBitbucketPullRequest.ts';
import type { Account, Comment, Participant, PullRequest } from './resources.ts';

type Post = ForgeOperations['post_pr_comment'];
type Reply = ForgeOperations['reply_to_comment'];
type Approval = ForgeOperations['approve_pr'];

const answerBitbucketComment = (pr: PrMapping, { id, links, parent }: Comment): ForgeChange =>
  answerPostedComment(pr, {
    id: String(id),
    url: links.html.href,
    inReplyTo: parent ? String(parent.id) : null,
  });

async function writeBitbucketComment(
  client: BitbucketClient,
  { repo, number, body }: Post,
  operationId: string,
  parent: object,
) {
  const raw = addLinkMark(checkCommentText(body), operationId);
  const pr = toBitbucketMapping(await readBitbucketPr(client, repo, number));
  const what = describePullRequest(repo, number);
  const comment = await client.send<Comment>(
    what,
    'POST',
    `${client.pr(repo, number)}/comments`,
    { content: { raw }, ...parent },
    ({ id, links }) => isNumericId(id) && typeof links?.html?.href === 'string',
  );
  client.rememberSelf(comment.user);
  return { pr, made: comment };
}

export async function postBitbucketComment(
  client: BitbucketClient,
  args: Post,
  { operationId }: ForgeActor,
): Promise<ForgeChange> {
  const { pr, made } = await writeBitbucketComment(client, args, operationId, {});
  return answerBitbucketComment(pr, made);
}

/** Every comment has a thread at Bitbucket, whether it is on code or not. */
export async function replyToBitbucketComment(
  client: BitbucketClient,
  args: Reply,
  { operationId }: ForgeActor,
): Promise<ForgeChange> {
  const { repo, number, commentId } = args;
  if (!/^\d{1,20}$/.test(commentId)) throw createCommentIdError(commentId);
  const id = Number.isSafeInteger(Number(commentId)) ? Number(commentId) : commentId;
  checkCommentText(args.body);
  const about = `comment ${commentId} of ${describePullRequest(repo, number)}`;
  await client.get<Comment>(about, `${client.pr(repo, number)}/comments/${id}`);
  const { pr, made } = await writeBitbucketComment(client, args, operationId, { parent: { id } });
  return answerBitbucketComment(pr, { ...made, parent: { id } });
}

export async function findBitbucketComment(
  client: BitbucketClient,
  args: Post | Reply,
  actor: ForgeActor,
): Promise<ForgeChange | null> {
  const { repo, number } = args;
  const self = await client.self();
  const mine = (await readBitbucketComments(client, repo, number)).find(
    ({ content, user }) =>
      hasMark(content.raw, actor.operationId) && (self === null || user?.uuid === self.uuid),
  );
  return mine
    ? answerBitbucketComment(toBitbucketMapping(await readBitbucketPr(client, repo, number)), mine)
    : null;
}

const answerBitbucketApproval = (
  pr: PullRequest,
  self: Account | null,
  existing: boolean,
): ForgeChange => {
  const mapping = toBitbucketMapping(pr);
  return toForgeAnswer(mapping, {
    prId: mapping.prId,
    url: mapping.url,
    approvals: [pickBitbucketName(self)],
    existing,
  });
};

const hasApprovedBitbucketPr = (
  { participants = [] }: PullRequest,
  self: Account | null,
): boolean => participants.some(({ approved, user }) => approved && user.uuid === self?.uuid);

export async function approveBitbucketPr(
  client: BitbucketClient,
  { repo, number, head }: Approval,
): Promise<ForgeChange> {
  const pr = await readBitbucketPr(client, repo, number);
  checkApprovable(toBitbucketMapping(pr));
  checkReviewed(toBitbucketMapping(pr), readBitbucketHead(pr), head);
  const self = await client.self();
  if (hasApprovedBitbucketPr(pr, self)) return answerBitbucketApproval(pr, self, true);
  try {
    const { user } = await client.send<Participant>(
      describePullRequest(repo, number),
      'POST',
      `${client.pr(repo, number)}/approve`,
      {},
      (answer) => answer.approved === true,
    );
    client.rememberSelf(user);
    return answerBitbucketApproval(pr, user, false);
  } catch (error) {
    if (error instanceof SvcError && /already approved/i.test(error.message))
      return answerBitbucketApproval(pr, self, true);
    throw error;
  }
}

/**
 * An approval has no text, so it cannot be distinguished from an earlier one: an account has at most one.
 */
export async function findBitbucketApproval(
  client: BitbucketClient,
  { repo, number }: Approval,
): Promise<ForgeChange | null> {
  const self = await client.self();
  const pr = await readBitbucketPr(client, repo, number);
  return hasApprovedBitbucketPr(pr, self) ? answerBitbucketApproval(pr, self, false) : null;
}
