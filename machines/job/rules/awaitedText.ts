import type { EventOf } from '../jobEvents.ts';
import type { Awaited } from '../awaited.ts';
import type { JobContext, PrRef } from '../jobContext.ts';
import { asWritten, referencesOf } from './references.ts';
import { isOver, mayWakeBy } from './wakeMatch.ts';

/** The only kind of event that is reported for a followed ticket or pull request. */
export const FOLLOWED_KIND = 'commented';

/** Most pull requests that a sentence names; the others are counted. */
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

/** What each kind of event is to people. */
const KIND_WORDS: Readonly<Record<string, string>> = {
  approved: 'an approval',
  changes_requested: 'a request for changes',
  commented: 'a comment',
  review_thread: 'a comment on the code',
  check_failed: 'a failed check',
  check_passed: 'green checks',
  conflict: 'a conflict',
  merged: 'the merge',
  closed: 'the close',
  reopened: 'the reopening',
};

/** Everything wakes it; these two are what a person does. */
const ANY_EVENT = 'a review or merge';

/** `a, b or c`; at most `most` of them, the others counted. */
function inWords(names: readonly string[], most = names.length): string {
  const more = names.length - most;
  const shown = [...names.slice(0, most), ...(more > 0 ? [`${more} more`] : [])];
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} or ${last}`;
}

const eventWords = (kinds: Awaited['kinds']): string =>
  kinds === null ? ANY_EVENT : inWords(kinds.map((kind) => KIND_WORDS[kind] ?? kind));

const commentOn = (tickets: readonly string[]): string =>
  `a comment on ${inWords(tickets.map((name) => `ticket ${name}`))}`;

/** What wakes it, of these pull requests or these tickets; empty = nothing is named. */
function wakers(
  kinds: Awaited['kinds'],
  prs: readonly string[],
  tickets: readonly string[],
): string {
  const parts = [
    ...(prs.length > 0 ? [`${eventWords(kinds)} of ${inWords(prs, MAX_NAMED)}`] : []),
    ...(tickets.length > 0 ? [commentOn(tickets)] : []),
  ];
  return parts.join(', or ');
}

const openNames = (prs: readonly PrRef[], first: string | null = null): string[] =>
  prs
    .filter(({ state }) => !isOver(state))
    .sort((a, b) => Number(b.prId === first) - Number(a.prId === first))
    .map(({ repo, number }) => `${repo}#${number}`);

/** For people: what a job with these pull requests waits for, as it was when it began to wait. */
export function awaitedText(
  { kinds, prId, external, followed = [] }: Awaited,
  prs: readonly PrRef[],
): string {
  if (external !== undefined) return `waits for a person: ${external}`;
  const names = openNames(prs, prId);
  const isTicketAlone = prs.length === 0 && followed.length > 0;
  const places = names.length > 0 || isTicketAlone ? names : ['one of its pull requests'];
  return `waits for ${wakers(kinds, places, followed)}`;
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
  const all = wakers(kinds, openNames(prs), followed);
  return all === '' ? null : `for ${all}`;
}
