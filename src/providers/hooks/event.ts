import { clip } from '../../base/text/clip.ts';
import type { DeliveredEvent } from '../../contract/forge/deliveredEvent.ts';
import type { ProviderEvent } from '../../contract/schema/forge/pr.ts';

/** An event of which only the name is known. */
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

/** Longest text for a job, characters; the provider has the whole text. */
const MAX_TOLD_CHARS = 16_384;

/** Only comments are reported of a ticket, or of a pull request that is not the job's own. */
const SAID = new Set<DeliveredEvent['kind']>(['commented', 'review_thread']);

/**
 * The event of a comment, for jobs whose params name the ticket; null for everything else, since
 * events of jobs' own pull requests are read from the forge. `now` is its time where the delivery
 * has none.
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
    text: clip(text, MAX_TOLD_CHARS, (remaining) => `\n(${remaining} more characters)`),
    externalId: `${prId}:commented:${id}`,
  };
}
