import { readOptional } from '../../rest/readOptional.ts';
import type { Discussion, GitlabNote, GitlabUser, MrReviewer } from './answers.ts';
import { type GitlabClient, nameOf, PAGE } from './client.ts';
import { APPROVED, REQUESTED_CHANGES } from './notes.ts';

/** GitLab's own note about people who are no longer asked for a review. */
const REMOVED = /\bremoved review request for\b/i;

/**
 * Users whose request for changes stands: they have not approved since, and no one has asked
 * them for another review or removed them as reviewers. GitLab's own notes say who has ever requested changes, so that
 * without one nothing more is asked.
 */
export async function readRequestedChanges(
  client: GitlabClient,
  slug: string,
  number: number,
  discussions: readonly Discussion[],
): Promise<GitlabUser[]> {
  const notes = discussions.flatMap((one) => one.notes).filter(({ system }) => system);
  const askers = new Map<number, GitlabUser>();
  for (const { author, body } of notes)
    if (author && REQUESTED_CHANGES.test(body.trim())) askers.set(author.id, author);
  if (askers.size === 0) return [];
  const states = new Map<number, string>();
  for (const { user, state } of await listReviewers(client, slug, number))
    states.set(user.id, state);
  return [...askers.values()].filter((user) => {
    const state = states.get(user.id);
    return state === undefined ? isLastWord(notes, user) : state === 'requested_changes';
  });
}

/** Whether the notes end with the request, for someone who is not listed as a reviewer. */
function isLastWord(notes: readonly GitlabNote[], { id, username }: GitlabUser): boolean {
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

/** None on a server that is too old to list them, or that does not show them to the token. */
const listReviewers = async (
  client: GitlabClient,
  slug: string,
  number: number,
): Promise<MrReviewer[]> => {
  const path = `${client.mergeRequest(slug, number)}/reviewers`;
  const asked = client.rest.list<MrReviewer>(nameOf(slug, number), path, { per_page: PAGE });
  return (await readOptional(asked)).value ?? [];
};
