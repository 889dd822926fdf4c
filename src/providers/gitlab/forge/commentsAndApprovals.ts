import { describePullRequest } from '../../../base/text/describePullRequest.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../../../contract/forge/forge.ts';
import { hasMark, addMark } from '../../../git/marks.ts';
import { toForgeAnswer, answerPostedComment } from '../../rest/answers.ts';
import { checkCommentText, createCommentIdError } from '../../rest/creation.ts';
import { isNumericId } from '../../rest/expectedValues.ts';
import { checkApprovable } from '../../rest/merging.ts';
import { checkReviewed } from '../../rest/reviewing.ts';
import type { Approvals, GitlabNote, MergeRequest } from './answers.ts';
import { readOptional } from '../../rest/readOptional.ts';
import { type GitlabClient, PAGE } from './client.ts';
import { toGitlabMapping, formatNoteId, buildNoteUrl } from './describe.ts';
import { getApprovals, getMergeRequest, listDiscussions } from './readMergeRequest.ts';

type Post = ForgeOperations['post_pr_comment'];
type Reply = ForgeOperations['reply_to_comment'];
type Approval = ForgeOperations['approve_pr'];

/** Most of the newest notes that are searched for one of our own. */
const MAX_SEARCHED = 500;

const isWrittenNote = ({ id }: Partial<GitlabNote>): boolean => isNumericId(id);

const answerGitlabComment = (
  mr: MergeRequest,
  { id }: GitlabNote,
  inReplyTo: string | null,
): ForgeChange =>
  answerPostedComment(toGitlabMapping(mr), {
    id: formatNoteId(id),
    url: buildNoteUrl(mr, id),
    inReplyTo,
  });

export async function postGitlabComment(
  client: GitlabClient,
  args: Post,
  { operationId }: ForgeActor,
): Promise<ForgeChange> {
  const { repo, number } = args;
  const body = addMark(checkCommentText(args.body), operationId);
  const mr = await getMergeRequest(client, repo, number);
  const path = `${client.mergeRequest(repo, number)}/notes`;
  return answerGitlabComment(
    mr,
    await client.rest.send<GitlabNote>(
      describePullRequest(repo, number),
      'POST',
      path,
      { body },
      isWrittenNote,
    ),
    null,
  );
}

/** Replies in the comment's thread; for a single comment GitLab starts one. */
export async function replyToGitlabComment(
  client: GitlabClient,
  args: Reply,
  { operationId }: ForgeActor,
): Promise<ForgeChange> {
  const { repo, number, commentId } = args;
  const body = addMark(checkCommentText(args.body), operationId);
  if (!/^note-\d{1,20}$/.test(commentId)) throw createCommentIdError(commentId);
  const mr = await getMergeRequest(client, repo, number);
  const discussions = await listDiscussions(client, repo, number);
  const thread = discussions.find(({ notes }) =>
    notes.some(({ id }) => formatNoteId(id) === commentId),
  );
  if (!thread)
    throw new SvcError(
      'not-found',
      `${describePullRequest(repo, number)} has no comment ${commentId}; get_pr_comments lists them.`,
    );
  const path = `${client.mergeRequest(repo, number)}/discussions/${encodeURIComponent(thread.id)}/notes`;
  const what = `comment ${commentId} of ${describePullRequest(repo, number)}`;
  return answerGitlabComment(
    mr,
    await client.rest.send<GitlabNote>(what, 'POST', path, { body }, isWrittenNote),
    commentId,
  );
}

export async function findGitlabComment(
  client: GitlabClient,
  args: Post | Reply,
  actor: ForgeActor,
): Promise<ForgeChange | null> {
  const { repo, number } = args;
  const query = { order_by: 'created_at', sort: 'desc', per_page: PAGE };
  const path = `${client.mergeRequest(repo, number)}/notes`;
  const notes = await client.rest.list<GitlabNote>(
    describePullRequest(repo, number),
    path,
    query,
    MAX_SEARCHED,
  );
  const self = await client.self();
  const mine = notes.find(
    ({ author, body }) => author?.id === self.id && hasMark(body, actor.operationId),
  );
  if (!mine) return null;
  return answerGitlabComment(
    await getMergeRequest(client, repo, number),
    mine,
    'commentId' in args ? args.commentId : null,
  );
}

const answerGitlabApproval = (mr: MergeRequest, self: string, existing: boolean): ForgeChange => {
  const pr = toGitlabMapping(mr);
  return toForgeAnswer(pr, { prId: pr.prId, url: pr.url, approvals: [self], existing });
};

/** Approves the reviewed commit; an earlier approval is returned. */
export async function approveGitlabPr(client: GitlabClient, args: Approval): Promise<ForgeChange> {
  const { repo, number, head } = args;
  const mr = await getMergeRequest(client, repo, number);
  const pr = toGitlabMapping(mr);
  checkApprovable(pr);
  checkReviewed(pr, mr.sha ?? '', head);
  const self = await client.self();
  // A server that does not show approvals may still take one.
  const { value: before } = await readOptional(getApprovals(client, repo, number));
  if (before?.user_has_approved) return answerGitlabApproval(mr, self.username, true);
  const refusal = new SvcError(
    'conflict',
    `${client.host} does not let ${self.username} approve ${pr.prId}: it is its own work, or its role is too low. Ask a person.`,
  );
  if (before?.user_can_approve === false) throw refusal;
  try {
    const path = `${client.mergeRequest(repo, number)}/approve`;
    await client.rest.send<Approvals>(
      `the approval of ${pr.prId}`,
      'POST',
      path,
      { sha: head ?? mr.sha },
      ({ approved_by: by }) => Array.isArray(by),
    );
  } catch (error) {
    // The same token has just read the merge request, so the account lacks the right.
    throw error instanceof SvcError && error.data.status === 401 ? refusal : error;
  }
  return answerGitlabApproval(mr, self.username, false);
}

/** An approval carries no mark, so any approval of the account counts. */
export async function findGitlabApproval(
  client: GitlabClient,
  { repo, number }: Approval,
): Promise<ForgeChange | null> {
  const { value } = await readOptional(getApprovals(client, repo, number));
  if (!value?.user_has_approved) return null;
  return answerGitlabApproval(
    await getMergeRequest(client, repo, number),
    (await client.self()).username,
    false,
  );
}
