import { describePullRequest } from '../../../base/text/describePullRequest.ts';
import { toErrorMessage, SvcError } from '../../../base/errors/errors.ts';
import type { ForgeActor, ForgeChange, PrAddress } from '../../../contract/forge/forge.ts';
import type { ReviewComment, ReviewWrite } from '../../../contract/forge/review.ts';
import { hasMark, addMark } from '../../../git/marks.ts';
import { isNumericId } from '../../rest/expectedValues.ts';
import { toForgeAnswer } from '../../rest/answers.ts';
import { type DiffPlaces, readDiffPlaces } from '../../rest/diffPlaces.ts';
import { checkReviewable, createHeadMovedError } from '../../rest/reviewing.ts';
import { appendSuggestion } from '../../rest/appendSuggestion.ts';
import type { Discussion, MergeRequest } from './answers.ts';
import { type GitlabClient, PAGE } from './client.ts';
import { toGitlabMapping, formatNoteId } from './describe.ts';
import {
  getMergeRequest,
  listDiscussions,
  listVersions,
  type DiffVersion,
} from './readMergeRequest.ts';
import { approveGitlabPr } from './commentsAndApprovals.ts';

interface DraftNote {
  id: number;
  note: string;
}

interface ReviewPiece {
  operationId: string;
  /** Number of the comment; null = the text of the whole review. */
  index: number | null;
  text: string;
  comment: ReviewComment | null;
}

const splitGitlabReview = (
  { body, comments }: ReviewWrite,
  { operationId }: ForgeActor,
): ReviewPiece[] => [
  ...comments.map((comment, index) => ({
    operationId: `${operationId}/c${index}`,
    index,
    text: formatReviewNote(comment),
    comment,
  })),
  ...(body === ''
    ? []
    : [{ operationId: `${operationId}/body`, index: null, text: body, comment: null }]),
];

/** GitLab's position has one line; the text names the other lines of a comment. */
function formatReviewNote(comment: ReviewComment): string {
  const { line, startLine } = comment;
  const more = startLine === null || line === null ? 0 : line - startLine;
  const text = appendSuggestion(comment, `suggestion:-${more}+0`);
  return more === 0 ? text : `(Lines ${startLine}-${line}) ${text}`;
}

const listDraftNotes = (client: GitlabClient, { repo, number }: PrAddress): Promise<DraftNote[]> =>
  client.rest.list(
    describePullRequest(repo, number),
    `${client.mergeRequest(repo, number)}/draft_notes`,
    {
      per_page: PAGE,
    },
  );

const isPiecePublished = (
  discussions: readonly Discussion[],
  self: number,
  { operationId }: ReviewPiece,
) =>
  discussions.some(({ notes }) =>
    notes.some(({ author, body }) => author?.id === self && hasMark(body, operationId)),
  );

function toGitlabPosition(
  { path, line, side }: ReviewComment,
  places: ReadonlyMap<string, DiffPlaces>,
  version: DiffVersion,
): Record<string, unknown> {
  const file = places.get(path);
  const commits = {
    base_sha: version.base_commit_sha,
    start_sha: version.start_commit_sha,
    head_sha: version.head_commit_sha,
    new_path: path,
    old_path: file?.from ?? path,
  };
  if (line === null) return { position_type: 'file', ...commits };
  const other = file?.[side].get(line) ?? null;
  const [before, after] = side === 'after' ? [other, line] : [line, other];
  return {
    position_type: 'text',
    ...commits,
    ...(before === null ? {} : { old_line: before }),
    ...(after === null ? {} : { new_line: after }),
  };
}

/** The thread of a reply. Throws SvcError `not-found`. */
function findGitlabThreadId(discussions: readonly Discussion[], commentId: string): string {
  const thread = discussions.find(({ notes }) =>
    notes.some(({ id }) => formatNoteId(id) === commentId),
  );
  if (thread) return thread.id;
  throw new SvcError('not-found', `there is no comment ${commentId}`);
}

/** Another attempt would be refused in the same way. */
const isGitlabReviewRefusal = (error: unknown): error is SvcError =>
  error instanceof SvcError && ['bad-argument', 'not-found', 'conflict'].includes(error.code);

/**
 * Writes drafts first, which no one else sees, then publishes them all at once. Existing drafts and
 * notes are not written again, so the review may be repeated after a lost answer. A person's own
 * drafts under the same account are left alone.
 */
export async function reviewGitlabPr(
  client: GitlabClient,
  args: ReviewWrite,
  actor: ForgeActor,
): Promise<ForgeChange> {
  const { repo, number, head, verdict } = args;
  const mr = await getMergeRequest(client, repo, number);
  const pr = toGitlabMapping(mr);
  checkReviewable(pr);
  const version = (await listVersions(client, repo, number)).find(
    ({ head_commit_sha: commit }) => commit === head,
  );
  if (!version) throw createHeadMovedError(pr.prId, head, mr.sha ?? '');
  const discussions = await listDiscussions(client, repo, number);
  const self = await client.self();
  const open = splitGitlabReview(args, actor).filter(
    (one) => !isPiecePublished(discussions, self.id, one),
  );
  const rejectedDrafts = await writeDraftNotes(client, args, { open, discussions, version });
  await publishDraftNotes(client, args, open);
  const refusedVerdict = verdict === 'approve' ? await tryGitlabApproval(client, args) : null;
  return answerGitlabReview(mr, { rejected: rejectedDrafts, verdict: refusedVerdict });
}

const answerGitlabReview = (
  mr: MergeRequest,
  outcome: { rejected: { index: number | null; reason: string }[]; verdict: string | null },
): ForgeChange => {
  const pr = toGitlabMapping(mr);
  return toForgeAnswer(pr, { prId: pr.prId, url: pr.url, ...outcome });
};

async function tryGitlabApproval(client: GitlabClient, args: ReviewWrite): Promise<string | null> {
  try {
    await approveGitlabPr(client, args);
    return null;
  } catch (error) {
    if (isGitlabReviewRefusal(error)) return toErrorMessage(error);
    throw error;
  }
}

/** Writes the missing drafts; returns what GitLab refuses. */
async function writeDraftNotes(
  client: GitlabClient,
  args: ReviewWrite,
  {
    open,
    discussions,
    version,
  }: { open: ReviewPiece[]; discussions: Discussion[]; version: DiffVersion },
): Promise<{ index: number | null; reason: string }[]> {
  if (open.length === 0) return [];
  const { repo, number } = args;
  const before = await listDraftNotes(client, args);
  const isPlaced = open.some(({ comment }) => comment !== null && comment.replyTo === null);
  const places = isPlaced
    ? readDiffPlaces(
        await client.rest.diff(
          describePullRequest(repo, number),
          `${client.mergeRequest(repo, number)}/raw_diffs`,
        ),
      )
    : new Map<string, DiffPlaces>();
  const rejectedDrafts: { index: number | null; reason: string }[] = [];
  for (const { operationId, index, text, comment } of open) {
    if (before.some(({ note }) => hasMark(note, operationId))) continue;
    try {
      const place =
        comment === null
          ? {}
          : comment.replyTo === null
            ? { position: toGitlabPosition(comment, places, version) }
            : { in_reply_to_discussion_id: findGitlabThreadId(discussions, comment.replyTo) };
      await client.rest.send<DraftNote>(
        describePullRequest(repo, number),
        'POST',
        `${client.mergeRequest(repo, number)}/draft_notes`,
        { note: addMark(text, operationId), ...place },
        ({ id }) => isNumericId(id),
      );
    } catch (error) {
      if (!isGitlabReviewRefusal(error)) throw error;
      rejectedDrafts.push({ index, reason: toErrorMessage(error) });
    }
  }
  return rejectedDrafts;
}

/** Publishes the drafts of this review; deletes a draft that was made twice. */
async function publishDraftNotes(
  client: GitlabClient,
  args: ReviewWrite,
  open: ReviewPiece[],
): Promise<void> {
  const { repo, number } = args;
  const path = `${client.mergeRequest(repo, number)}/draft_notes`;
  const what = describePullRequest(repo, number);
  const all = await listDraftNotes(client, args);
  const mine = open.flatMap(({ operationId }) => {
    const [first, ...again] = all.filter(({ note }) => hasMark(note, operationId));
    return first ? [{ first, again }] : [];
  });
  if (mine.length === 0) return;
  for (const { id } of mine.flatMap(({ again }) => again))
    await client.rest.sendForAnswer(what, 'DELETE', `${path}/${id}`);
  const ours = mine.length + mine.flatMap(({ again }) => again).length;
  if (ours === all.length) await client.rest.sendForAnswer(what, 'POST', `${path}/bulk_publish`);
  else
    for (const { first } of mine)
      await client.rest.sendForAnswer(what, 'PUT', `${path}/${first.id}/publish`);
}

/** Null unless all of it was written: `reviewGitlabPr` itself finds the written parts. */
export async function findGitlabReview(
  client: GitlabClient,
  args: ReviewWrite,
  actor: ForgeActor,
): Promise<ForgeChange | null> {
  const { repo, number, verdict } = args;
  if (verdict === 'approve') return null;
  const [discussions, self] = [await listDiscussions(client, repo, number), await client.self()];
  const pieces = splitGitlabReview(args, actor);
  if (!pieces.every((one) => isPiecePublished(discussions, self.id, one))) return null;
  return answerGitlabReview(await getMergeRequest(client, repo, number), {
    rejected: [],
    verdict: null,
  });
}

export async function resolveGitlabThread(
  client: GitlabClient,
  { repo, number, id, resolved }: PrAddress & { id: string; resolved: boolean },
): Promise<{ rows: [] }> {
  const what = `review thread ${id} of ${describePullRequest(repo, number)}`;
  const path = `${client.mergeRequest(repo, number)}/discussions/${encodeURIComponent(id)}`;
  await client.rest.send<Discussion>(what, 'PUT', path, { resolved }, (one) => one.id === id);
  return { rows: [] };
}
