import { messageOf, SvcError } from '../../../lib/errors.ts';
import type { ForgeActor, ForgeChange, PrAddress } from '../../../contract/forge.ts';
import type { ReviewComment, ReviewWrite } from '../../../contract/review.ts';
import { hasMark, marked } from '../../../git/marks.ts';
import { isNumericId } from '../../rest/expectedValues.ts';
import { answerOf } from '../../rest/answers.ts';
import { type DiffPlaces, diffPlaces } from '../../rest/diffPlaces.ts';
import { checkReviewable, headMoved } from '../../rest/reviewing.ts';
import { withSuggestion } from '../../rest/suggestion.ts';
import type { Discussion, MergeRequest } from './answers.ts';
import { type GitlabClient, nameOf, PAGE } from './client.ts';
import { mappingOf, noteId } from './describe.ts';
import {
  getMergeRequest,
  listDiscussions,
  listVersions,
  type Version,
} from './readMergeRequest.ts';
import { approvePr } from './talk.ts';

/** A comment that only its author sees. */
interface DraftNote {
  id: number;
  note: string;
}

/** Something of the review that is to be written, with the operation's id of its own. */
interface Piece {
  operationId: string;
  /** Number of the comment; null = the text of the whole review. */
  index: number | null;
  text: string;
  comment: ReviewComment | null;
}

const piecesOf = ({ body, comments }: ReviewWrite, { operationId }: ForgeActor): Piece[] => [
  ...comments.map((comment, index) => ({
    operationId: `${operationId}/c${index}`,
    index,
    text: textOf(comment),
    comment,
  })),
  ...(body === ''
    ? []
    : [{ operationId: `${operationId}/body`, index: null, text: body, comment: null }]),
];

/** GitLab's position has one line; the others of a comment are named in its text. */
function textOf(comment: ReviewComment): string {
  const { line, startLine } = comment;
  const more = startLine === null || line === null ? 0 : line - startLine;
  const text = withSuggestion(comment, `suggestion:-${more}+0`);
  return more === 0 ? text : `(Lines ${startLine}-${line}) ${text}`;
}

const drafts = (client: GitlabClient, { repo, number }: PrAddress): Promise<DraftNote[]> =>
  client.rest.list(nameOf(repo, number), `${client.mergeRequest(repo, number)}/draft_notes`, {
    per_page: PAGE,
  });

const isPublished = (discussions: readonly Discussion[], self: number, { operationId }: Piece) =>
  discussions.some(({ notes }) =>
    notes.some(({ author, body }) => author?.id === self && hasMark(body, operationId)),
  );

/** Where in the code a comment goes, as GitLab names it. */
function positionOf(
  { path, line, side }: ReviewComment,
  places: ReadonlyMap<string, DiffPlaces>,
  version: Version,
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

/** The thread that an answer goes to. Throws SvcError `not-found`. */
function threadOf(discussions: readonly Discussion[], commentId: string): string {
  const thread = discussions.find(({ notes }) => notes.some(({ id }) => noteId(id) === commentId));
  if (thread) return thread.id;
  throw new SvcError('not-found', `there is no comment ${commentId}`);
}

/** What another attempt would be refused just so. */
const isRefusal = (error: unknown): error is SvcError =>
  error instanceof SvcError && ['bad-argument', 'not-found', 'conflict'].includes(error.code);

/**
 * Drafts first, which no one else sees, then all of them at once. Existing drafts and notes
 * are not written again, so that it can be asked for again after a lost answer. Drafts that
 * a person has of their own under the same account are left alone.
 */
export async function reviewPr(
  client: GitlabClient,
  args: ReviewWrite,
  actor: ForgeActor,
): Promise<ForgeChange> {
  const { repo, number, head, verdict } = args;
  const mr = await getMergeRequest(client, repo, number);
  const pr = mappingOf(mr);
  checkReviewable(pr);
  const version = (await listVersions(client, repo, number)).find(
    ({ head_commit_sha: commit }) => commit === head,
  );
  if (!version) throw headMoved(pr.prId, head, mr.sha ?? '');
  const discussions = await listDiscussions(client, repo, number);
  const self = await client.self();
  const open = piecesOf(args, actor).filter((one) => !isPublished(discussions, self.id, one));
  const rejected = await draft(client, args, { open, discussions, version });
  await publish(client, args, open);
  const refusedVerdict = verdict === 'approve' ? await approved(client, args) : null;
  return answered(mr, { rejected, verdict: refusedVerdict });
}

const answered = (
  mr: MergeRequest,
  outcome: { rejected: { index: number | null; reason: string }[]; verdict: string | null },
): ForgeChange => {
  const pr = mappingOf(mr);
  return answerOf(pr, { prId: pr.prId, url: pr.url, ...outcome });
};

/** Why the approval is refused; null = it is given. */
async function approved(client: GitlabClient, args: ReviewWrite): Promise<string | null> {
  try {
    await approvePr(client, args);
    return null;
  } catch (error) {
    if (isRefusal(error)) return messageOf(error);
    throw error;
  }
}

/** Writes what is not there yet; answers what GitLab does not take. */
async function draft(
  client: GitlabClient,
  args: ReviewWrite,
  { open, discussions, version }: { open: Piece[]; discussions: Discussion[]; version: Version },
): Promise<{ index: number | null; reason: string }[]> {
  if (open.length === 0) return [];
  const { repo, number } = args;
  const before = await drafts(client, args);
  const isPlaced = open.some(({ comment }) => comment !== null && comment.replyTo === null);
  const places = isPlaced
    ? diffPlaces(
        await client.rest.text(
          nameOf(repo, number),
          `${client.mergeRequest(repo, number)}/raw_diffs`,
        ),
      )
    : new Map<string, DiffPlaces>();
  const rejected: { index: number | null; reason: string }[] = [];
  for (const { operationId, index, text, comment } of open) {
    if (before.some(({ note }) => hasMark(note, operationId))) continue;
    try {
      const place =
        comment === null
          ? {}
          : comment.replyTo === null
            ? { position: positionOf(comment, places, version) }
            : { in_reply_to_discussion_id: threadOf(discussions, comment.replyTo) };
      await client.rest.send<DraftNote>(
        nameOf(repo, number),
        'POST',
        `${client.mergeRequest(repo, number)}/draft_notes`,
        { note: marked(text, operationId), ...place },
        ({ id }) => isNumericId(id),
      );
    } catch (error) {
      if (!isRefusal(error)) throw error;
      rejected.push({ index, reason: messageOf(error) });
    }
  }
  return rejected;
}

/** Makes the drafts of this review comments; a draft that was made twice is taken away. */
async function publish(client: GitlabClient, args: ReviewWrite, open: Piece[]): Promise<void> {
  const { repo, number } = args;
  const path = `${client.mergeRequest(repo, number)}/draft_notes`;
  const what = nameOf(repo, number);
  const all = await drafts(client, args);
  const mine = open.flatMap(({ operationId }) => {
    const [first, ...again] = all.filter(({ note }) => hasMark(note, operationId));
    return first ? [{ first, again }] : [];
  });
  if (mine.length === 0) return;
  for (const { id } of mine.flatMap(({ again }) => again))
    await client.rest.sent(what, 'DELETE', `${path}/${id}`);
  const ours = mine.length + mine.flatMap(({ again }) => again).length;
  if (ours === all.length) await client.rest.sent(what, 'POST', `${path}/bulk_publish`);
  else
    for (const { first } of mine)
      await client.rest.sent(what, 'PUT', `${path}/${first.id}/publish`);
}

/**
 * Whether all of it was written: then nothing is left. A part of it is found by
 * `reviewPr` itself.
 */
export async function findReview(
  client: GitlabClient,
  args: ReviewWrite,
  actor: ForgeActor,
): Promise<ForgeChange | null> {
  const { repo, number, verdict } = args;
  if (verdict === 'approve') return null;
  const [discussions, self] = [await listDiscussions(client, repo, number), await client.self()];
  const pieces = piecesOf(args, actor);
  if (!pieces.every((one) => isPublished(discussions, self.id, one))) return null;
  return answered(await getMergeRequest(client, repo, number), { rejected: [], verdict: null });
}

export async function resolveThread(
  client: GitlabClient,
  { repo, number, id, resolved }: PrAddress & { id: string; resolved: boolean },
): Promise<{ rows: [] }> {
  const what = `review thread ${id} of ${nameOf(repo, number)}`;
  const path = `${client.mergeRequest(repo, number)}/discussions/${encodeURIComponent(id)}`;
  await client.rest.send<Discussion>(what, 'PUT', path, { resolved }, (one) => one.id === id);
  return { rows: [] };
}
