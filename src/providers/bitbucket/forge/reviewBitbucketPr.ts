import { describePullRequest } from '../../../base/text/describePullRequest.ts';
import type { ForgeActor, ForgeChange, PrAddress } from '../../../contract/forge/forge.ts';
import type { ReviewComment, ReviewWrite } from '../../../contract/forge/review.ts';
import { hasMark, addLinkMark } from '../../../git/marks.ts';
import { isNumericId } from '../../rest/expectedValues.ts';
import { toForgeAnswer, answerPostedComment } from '../../rest/answers.ts';
import { checkReviewable, checkReviewed } from '../../rest/reviewing.ts';
import { appendSuggestion } from '../../rest/appendSuggestion.ts';
import type { BitbucketClient } from './client.ts';
import { readBitbucketHead, toBitbucketMapping } from './describe.ts';
import { readBitbucketComments, readBitbucketPr } from './readBitbucketPullRequest.ts';
import type { Comment, Participant, PullRequest } from './resources.ts';

const toBitbucketInline = ({ path, line, startLine, side }: ReviewComment) => {
  if (line === null) return { path };
  const first = startLine === null || startLine === line ? undefined : startLine;
  return side === 'after'
    ? { path, to: line, ...(first === undefined ? {} : { start_to: first }) }
    : { path, from: line, ...(first === undefined ? {} : { start_from: first }) };
};

/**
 * Writes one comment on code, or the request for changes. Bitbucket has no reviews and takes no
 * commit, so nothing is written if there are newer commits.
 */
export async function reviewBitbucketPr(
  client: BitbucketClient,
  args: ReviewWrite,
  { operationId }: ForgeActor,
): Promise<ForgeChange> {
  const { repo, number, head } = args;
  const pullRequest = await readBitbucketPr(client, repo, number);
  const pr = toBitbucketMapping(pullRequest);
  checkReviewable(pr);
  checkReviewed(pr, readBitbucketHead(pullRequest), head);
  const what = describePullRequest(repo, number);
  const [comment] = args.comments;
  if (comment) {
    const createdComment = await client.send<Comment>(
      what,
      'POST',
      `${client.pr(repo, number)}/comments`,
      {
        content: { raw: addLinkMark(appendSuggestion(comment), operationId) },
        inline: toBitbucketInline(comment),
      },
      ({ id, links }) => isNumericId(id) && typeof links?.html?.href === 'string',
    );
    client.rememberSelf(createdComment.user);
    return answerPostedComment(pr, {
      id: String(createdComment.id),
      url: createdComment.links.html.href,
      inReplyTo: null,
    });
  }
  const { user } = await client.send<Participant>(
    what,
    'POST',
    `${client.pr(repo, number)}/request-changes`,
    {},
    ({ state }) => state === 'changes_requested',
  );
  client.rememberSelf(user);
  return toForgeAnswer(pr, { prId: pr.prId, url: pr.url });
}

const hasRequestedChanges = (
  { participants = [] }: PullRequest,
  uuid: string | undefined,
): boolean =>
  participants.some(({ state, user }) => state === 'changes_requested' && user.uuid === uuid);

export async function findBitbucketReview(
  client: BitbucketClient,
  { repo, number, comments }: ReviewWrite,
  { operationId }: ForgeActor,
): Promise<ForgeChange | null> {
  const self = await client.self();
  const pullRequest = await readBitbucketPr(client, repo, number);
  const pr = toBitbucketMapping(pullRequest);
  if (comments.length === 0)
    return hasRequestedChanges(pullRequest, self?.uuid)
      ? toForgeAnswer(pr, { prId: pr.prId, url: pr.url })
      : null;
  const mine = (await readBitbucketComments(client, repo, number)).find(
    ({ content, user }) =>
      hasMark(content.raw, operationId) && (self === null || user?.uuid === self.uuid),
  );
  return mine
    ? answerPostedComment(pr, { id: String(mine.id), url: mine.links.html.href, inReplyTo: null })
    : null;
}

/** Bitbucket names a thread by its first comment. */
export async function resolveBitbucketThread(
  client: BitbucketClient,
  { repo, number, id, resolved }: PrAddress & { id: string; resolved: boolean },
): Promise<{ rows: [] }> {
  const what = `review thread ${id} of ${describePullRequest(repo, number)}`;
  const path = `${client.pr(repo, number)}/comments/${encodeURIComponent(id)}`;
  const { resolution } = await client.get<Comment>(what, path);
  if ((resolution != null) === resolved) return { rows: [] };
  await client.sendForAnswer(what, resolved ? 'POST' : 'DELETE', `${path}/resolve`);
  return { rows: [] };
}
