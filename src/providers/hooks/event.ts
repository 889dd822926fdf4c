import { clip } from '../../shared/text/clip.ts';
import type { DeliveredEvent } from '../../contract/forge/deliveredEvent.ts';
import type { ProviderEvent } from '../../contract/schema/forge/pr.ts';

/** An event of a provider that says no more than its own name. */
export const bareEvent: Omit<DeliveredEvent, 'event'> = {
  kind: null,
  id: '',
  repo: '',
  number: null,
  ref: null,
  author: '',
  identities: [],
  bot: false,
  member: null,
  title: '',
  text: '',
  url: '',
  labels: [],
  newLabels: [],
  happenedAt: null,
};

/** Longest text that a job is given, characters; the provider has the whole text. */
const MAX_TOLD_CHARS = 16_384;

/**
 * What is reported of a ticket, or of a pull request that is not the job's own: comments.
 */
const SAID = new Set<DeliveredEvent['kind']>(['commented', 'review_thread']);

/**
 * The event of a comment, for jobs whose params name the ticket; null for everything else, since
 * what happens to the pull requests of jobs is read from the forge. `now` is its time where the
 * delivery names none.
 */
export function toCommentEvent(
  plugin: string,
  event: DeliveredEvent,
  now: number,
): ProviderEvent | null {
  const { kind, id, repo, number, ref, author, text, url, happenedAt } = event;
  if (!SAID.has(kind) || ref === null || number === null) return null;
  const prId = `${plugin}:${ref}`;
  return {
    kind: 'commented',
    forge: plugin,
    repo,
    number,
    prId,
    author,
    url,
    happenedAt: happenedAt ?? now,
    text: clip(text, MAX_TOLD_CHARS, (left) => `\n(${left} more characters)`),
    externalId: `${prId}:commented:${id}`,
  };
}
