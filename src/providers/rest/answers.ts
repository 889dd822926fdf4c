import type { PrMapping } from '../../contract/schema/forge/pr.ts';
import type { ForgeChange } from '../../contract/forge/forge.ts';

/** Answer of a health check; null = the token may not ask for its account. */
export const answerHealthcheck = (account: string | null): { ok: boolean; detail: string } => ({
  ok: true,
  detail:
    account === null
      ? 'The token cannot read its own account; whether it works shows with the first job.'
      : `Logged in as ${account}.`,
});

/**
 * The answer of an operation about a pull request, without rows and events: the poller reports what
 * happened.
 */
export const toForgeAnswer = (
  pr: PrMapping | null,
  result: Record<string, unknown>,
): ForgeChange => ({
  pr,
  result,
  rows: [],
  events: [],
});

export const answerOpenedPr = (pr: PrMapping, existing: boolean): ForgeChange => {
  const { prId, number, url, state, head, base } = pr;
  return toForgeAnswer(pr, { prId, number, url, state, head, base, existing });
};

export const answerPostedComment = (
  pr: PrMapping,
  comment: { id: string; url: string; inReplyTo: string | null },
): ForgeChange =>
  toForgeAnswer(pr, {
    prId: pr.prId,
    commentId: comment.id,
    inReplyTo: comment.inReplyTo,
    url: comment.url,
  });

export const answerMergedPr = (
  pr: PrMapping,
  mergeCommit: string,
  mergedBy: string,
): ForgeChange => {
  const { prId, number, url, state, mergedAt } = pr;
  return toForgeAnswer(pr, { prId, number, url, state, mergedAt, mergeCommit, mergedBy });
};

/**
 * The answer where the forge has accepted a merge and does it later: its end will come as an event.
 * `how`: what it waits for.
 */
export const answerQueuedMerge = (pr: PrMapping, how: string): ForgeChange => {
  const { prId, number, url, state } = pr;
  const note = `${prId} is not merged yet: ${how} Wait for the merge (await_event with merged); do not merge it again.`;
  return toForgeAnswer(pr, { prId, number, url, state, mergedAt: null, queued: true, note });
};
