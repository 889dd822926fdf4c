import { SvcError } from '../../base/errors/errors.ts';
import type { PrMapping } from '../../contract/schema/forge/pr.ts';

/** Length of a commit's hash for people. */
const SHOWN = 12;

/** Throws SvcError `conflict` for a pull request that is over. */
export function checkMergeable({ prId, state }: PrMapping): void {
  if (state !== 'open')
    throw new SvcError('conflict', `${prId} is ${state} already.`, { data: { state } });
}

/** Throws SvcError `conflict` for a pull request that is over. */
export function checkApprovable({ prId, state }: PrMapping): void {
  if (state === 'open') return;
  throw new SvcError(
    'conflict',
    `${prId} is ${state}: only an open pull request can be approved.`,
    { data: { state } },
  );
}

/** Throws SvcError `conflict` where the newest commit is not the one that may be merged. */
export function checkPinned(
  { prId }: Pick<PrMapping, 'prId'>,
  newest: string,
  pinnedHead: string | undefined,
): void {
  if (
    pinnedHead === undefined ||
    (newest !== '' && (pinnedHead.startsWith(newest) || newest.startsWith(pinnedHead)))
  )
    return;
  const [before, now] = [pinnedHead.slice(0, SHOWN), newest.slice(0, SHOWN) || 'an unknown commit'];
  throw new SvcError(
    'conflict',
    `${prId} cannot be merged: its branch has new commits. ${before} was to be merged, ${now} is the newest. Nothing was merged. Look at the new commits, then merge again.`,
    { data: { reason: 'sha', reviewed: pinnedHead, newest } },
  );
}

export const createOwnWorkError = (self: string, prId: string, forge: string): SvcError =>
  new SvcError(
    'conflict',
    `${self} opened ${prId}, and ${forge} lets no one approve their own pull request. Ask a person.`,
  );

export const explainMergeConflict = (head: string, base: string): string =>
  `${head} and ${base} both changed the same places. Fetch, merge ${base} into ${head}, resolve the conflicts, commit, and push the branch to the forge again (create_pr with the same head).`;

export const explainProtectedBase = (base: string): string =>
  `${base} is protected, and a review or a check that it requires is missing. Wait for it (await_event), or ask a person.`;

export const explainBehindBase = (head: string, base: string): string =>
  `${base} requires ${head} to be up to date: merge ${base} into it and push the branch to the forge again.`;

export const DRAFT_REASON = 'it is a draft. A person must mark it as ready.';

const STATUS_ALONE =
  /^(?:\d{3}\s+)?(?:Method Not Allowed|Unauthorized|Not Acceptable|Conflict|Bad Request|no message|no reason)\.?$/i;

export const quoteForgeWords = (host: string, { message, data }: SvcError): string => {
  const serverMessage = typeof data.said === 'string' ? data.said : message;
  return serverMessage.trim() === '' || STATUS_ALONE.test(serverMessage.trim())
    ? ''
    : ` ${host} says: ${serverMessage.trim()}`;
};

export const createMergeError = (prId: string, text: string, reason: unknown): SvcError =>
  new SvcError('conflict', `${prId} cannot be merged: ${text}`, { data: { reason } });
