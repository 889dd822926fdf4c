import { describePullRequest } from '../../../base/text/describePullRequest.ts';
import { expectText } from '../../rest/expectedValues.ts';
import { readOptional } from '../../rest/readOptional.ts';
import type { UnreadParts } from '../../rest/unreadParts.ts';
import type { Discussion, GitlabNote, GitlabUser, MergeRequest, MrReviewer } from './answers.ts';
import { type GitlabClient, PAGE } from './client.ts';
import { readMergeStatus } from './mergeStatus.ts';
import { APPROVED, REQUESTED_CHANGES } from './notes.ts';

/** The state of a reviewer, and the status of a merge request that waits for one. */
const REQUESTED = 'requested_changes';

/** GitLab's own note about a removed reviewer. */
const REMOVED = /\bremoved review request for\b/i;

/**
 * Users whose request for changes stands: they have not approved since, and were neither asked for
 * another review nor removed as reviewers. Nothing more is asked unless GitLab's notes or the
 * status of the merge request show that someone has requested changes.
 */
export async function readRequestedChanges(
  client: GitlabClient,
  slug: string,
  mr: MergeRequest,
  discussions: readonly Discussion[],
  parts: UnreadParts,
): Promise<GitlabUser[]> {
  const notes = discussions.flatMap((one) => one.notes).filter(({ system }) => system);
  const askers = new Map<number, GitlabUser>();
  for (const { author, body } of notes)
    if (author && REQUESTED_CHANGES.test(body.trim())) askers.set(author.id, author);
  const isBlocked = mr.state === 'opened' && readMergeStatus(mr) === REQUESTED;
  if (askers.size === 0 && !isBlocked && parts.why('reviews') === '') return [];
  const reviewers = await listReviewers(client, slug, mr.iid, parts);
  const states = new Map(reviewers.map(({ user, state }) => [user.id, state]));
  const gitlabUsers = [...askers.values()].filter((user) => {
    const state = states.get(user.id);
    return state === undefined ? isLastDecision(notes, user) : state === REQUESTED;
  });
  const remainingReviewers = reviewers.filter(
    ({ user, state }) => state === REQUESTED && !askers.has(user.id),
  );
  const all = [...gitlabUsers, ...remainingReviewers.map(({ user }) => user)];
  // GitLab does not always show who requested them.
  return all.length === 0 && isBlocked ? [{ id: 0, username: 'a reviewer' }] : all;
}

/**
 * Whether the last decision in the notes is the request; for someone who is not listed as a
 * reviewer.
 */
function isLastDecision(notes: readonly GitlabNote[], { id, username }: GitlabUser): boolean {
  const about = notes.filter(({ author, body }) =>
    REMOVED.test(body)
      ? body
          .split(REMOVED)[1]
          ?.match(/@[\w.-]+/g)
          ?.includes(`@${username}`)
      : author?.id === id && (APPROVED.test(body.trim()) || REQUESTED_CHANGES.test(body.trim())),
  );
  return REQUESTED_CHANGES.test(about.at(-1)?.body.trim() ?? '');
}

/** Empty where the server is too old to list them, or hides them from the token. */
async function listReviewers(
  client: GitlabClient,
  slug: string,
  number: number,
  parts: UnreadParts,
): Promise<MrReviewer[]> {
  const path = `${client.mergeRequest(slug, number)}/reviewers`;
  const request = client.rest.list<MrReviewer>(describePullRequest(slug, number), path, {
    per_page: PAGE,
  });
  const answer = await parts.ask(['reviews'], readOptional(request));
  return parts.keep(['reviews'], answer?.value ?? [], ({ user, state }) => {
    expectText(user.username, 'the name of a reviewer');
    expectText(state, 'the state of a reviewer');
  });
}
