import { sha256 } from '../../lib/ids.ts';
import { SvcError } from '../../lib/errors.ts';
import type { ForgeActor, ForgeChange, ForgeOperations } from '../../contract/forge.ts';
import { checkBody, type Desk, type Operation } from './desk.ts';
import { eventOf, isAgentName, mappingOf, prIdOf } from './describe.ts';
import { type CommentRow, type PrRow, pullRequestRow, type ReviewRow } from './rows.ts';

const comment = (
  desk: Desk,
  pr: PrRow,
  inReplyTo: string | null,
  text: string,
  actor: ForgeActor,
): ForgeChange => {
  const recorded = desk.rows.one('forge_comments', { operation_id: actor.operationId });
  const row: CommentRow = recorded ?? {
    repo: pr.repo,
    number: pr.number,
    // From the operation, so that a repeat before the rows were committed makes the same comment.
    id: `c${sha256(actor.operationId).slice(0, 12)}`,
    operation_id: actor.operationId,
    author: actor.author,
    body: checkBody(text, false),
    in_reply_to: inReplyTo,
    at: actor.at,
  };
  const mapping = mappingOf(pr, desk.webUrl);
  return {
    pr: mapping,
    result: { prId: mapping.prId, commentId: row.id, inReplyTo: row.in_reply_to, url: mapping.url },
    rows: recorded ? [] : [{ op: 'put', table: 'forge_comments', row }],
    events: [
      eventOf(pr, desk.webUrl, {
        kind: 'commented',
        id: row.id,
        author: row.author,
        text: row.body,
        at: row.at,
      }),
    ],
  };
};

export const postComment: Operation<ForgeOperations['post_pr_comment']> = async (
  desk,
  { repo, number, body },
  actor,
) => comment(desk, pullRequestRow(desk.rows, repo, number), null, body, actor);

export const replyToComment: Operation<ForgeOperations['reply_to_comment']> = async (
  desk,
  { repo, number, commentId, body },
  actor,
) => {
  const pr = pullRequestRow(desk.rows, repo, number);
  if (!desk.rows.one('forge_comments', { repo, number, id: commentId })) {
    const known = desk.rows
      .all('forge_comments', { repo, number }, { order: 'at', desc: true, limit: 20 })
      .map(({ id }) => id);
    throw new SvcError(
      'not-found',
      `${prIdOf(repo, number)} has no comment ${JSON.stringify(commentId)}. It has ${known.length > 0 ? known.join(', ') : 'none'}.`,
    );
  }
  return comment(desk, pr, commentId, body, actor);
};

/**
 * Throws SvcError `conflict` for the author of the pull request, and for an agent where an agent
 * has opened it: a person approves that.
 */
function checkOthers(pr: PrRow, approver: string): void {
  const prId = prIdOf(pr.repo, pr.number);
  if (approver === pr.author) {
    throw new SvcError(
      'conflict',
      `${approver} has opened ${prId}, and nobody approves a pull request of their own. Ask a person.`,
    );
  }
  if (isAgentName(approver) && isAgentName(pr.author)) {
    throw new SvcError(
      'conflict',
      `svc has opened ${prId}, and no agent approves what svc has opened. Ask a person.`,
    );
  }
}

/**
 * One approval per author; a second one of the same commit changes nothing and tells nobody.
 * `commit`: the head; null = it is not known.
 */
export const approvePr = async (
  desk: Desk,
  { repo, number }: ForgeOperations['approve_pr'],
  actor: ForgeActor,
  commit: string | null = null,
): Promise<ForgeChange> => {
  const pr = pullRequestRow(desk.rows, repo, number);
  const mapping = mappingOf(pr, desk.webUrl);
  const reviews = desk.rows.all('forge_reviews', { repo, number }, { order: 'at' });
  const before = reviews.find(({ author }) => author === actor.author);
  const given =
    before &&
    (before.operation_id === actor.operationId ||
      before.commit_hash === commit ||
      pr.state !== 'open')
      ? before
      : undefined;
  if (!given) checkOthers(pr, actor.author);
  const mine: ReviewRow = given ?? {
    repo,
    number,
    author: actor.author,
    operation_id: actor.operationId,
    at: actor.at,
    commit_hash: commit,
  };
  const repeated = given !== undefined && given.operation_id !== actor.operationId;
  if (!given && pr.state !== 'open') {
    throw new SvcError(
      'conflict',
      `${mapping.prId} is ${pr.state}: only an open pull request can be approved.`,
      {
        data: { state: pr.state },
      },
    );
  }
  const approvals = before ? reviews : [...reviews, mine];
  // Of a later commit it is another event.
  const id = before && !given ? `${mine.author}:${commit}` : mine.author;
  return {
    pr: mapping,
    result: {
      prId: mapping.prId,
      url: mapping.url,
      approvals: approvals.map(({ author }) => author),
      existing: repeated,
    },
    rows: given ? [] : [{ op: 'put', table: 'forge_reviews', row: mine }],
    events: repeated
      ? []
      : [
          eventOf(pr, desk.webUrl, {
            kind: 'approved',
            id,
            author: mine.author,
            text: '',
            at: mine.at,
          }),
        ],
  };
};
