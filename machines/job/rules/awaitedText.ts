import type { EventOf } from '../jobEvents.ts';
import type { Awaited } from '../awaited.ts';
import type { JobContext, PrRef } from '../jobContext.ts';
import { asWritten, followedAs, referenceOf, referencesOf } from './references.ts';
import { isOver, mayWakeBy } from './wakeMatch.ts';

/** The only kind of event that is reported for a followed ticket or pull request. */
export const FOLLOWED_KIND = 'commented';

/** Most pull requests that a sentence names. */
const MAX_NAMED = 5;

/**
 * Tickets and pull requests that the params name, as they write them, and whose comments wake a job
 * that awaits these kinds. `heard`: those, in their one form, whose comments reach svc.
 */
export const followedBy = (
  params: JobContext['params'],
  { kinds, heard = [] }: Pick<EventOf<'tool.await_event'>, 'kinds' | 'heard'>,
): string[] =>
  mayWakeBy(kinds, FOLLOWED_KIND)
    ? referencesOf(params)
        .filter((reference) => heard.includes(reference))
        .map((reference) => asWritten(params, reference))
    : [];

const eventOf = (kinds: Awaited['kinds']): string =>
  kinds === null ? 'an event' : `an event (${kinds.join(' or ')})`;

const ticket = (name: string): string => `ticket ${name}`;

/** For people: what a job with these pull requests waits for, as it was when it began to wait. */
export function awaitedText(
  { kinds, prId, external, followed = [] }: Awaited,
  prs: readonly PrRef[],
): string {
  if (external !== undefined) return `waits for a person: ${external}`;
  const isTicket = prId !== null && followedAs(followed.map(referenceOf), prId) !== undefined;
  const of = 'of its pull requests';
  const own = prId === null || isTicket ? `one ${of}` : `${prId} or another ${of}`;
  const places = prs.length === 0 && followed.length > 0 ? [] : [own];
  return `waits for ${eventOf(kinds)} on ${[...places, ...followed.map(ticket)].join(' or ')}`;
}

/**
 * The same as it is now, each open pull request and followed ticket by its name; null = none could
 * be named.
 */
export function awaitedNames(
  { kinds }: Pick<Awaited, 'kinds'>,
  prs: readonly PrRef[],
  followed: readonly string[],
): string | null {
  const open = prs.filter(({ state }) => !isOver(state));
  const more = open.length - MAX_NAMED;
  const names = [
    ...open.slice(0, MAX_NAMED).map(({ repo, number }) => `pull request #${number} of ${repo}`),
    ...(more > 0 ? [`${more} more of its pull requests`] : []),
    ...followed.map(ticket),
  ];
  const last = names.pop();
  if (last === undefined) return null;
  const all = names.length === 0 ? last : `${names.join(', ')} or ${last}`;
  return `for ${eventOf(kinds)} of ${all}, a message or a resume`;
}
