import type { EventOf } from '../jobEvents.ts';
import type { EventWait } from '../eventWait.ts';
import type { JobContext, PrRef } from '../jobContext.ts';
import { findWrittenName, listReferences } from './references.ts';
import { isPrEnd, mayWakeBy } from './wakeMatch.ts';

/** The only event kind reported for a followed ticket or pull request. */
export const FOLLOWED_KIND = 'commented';

/** Most pull requests that a sentence names; the rest are counted. */
const MAX_NAMED = 5;

/**
 * Tickets and pull requests from the params whose comments wake a job that awaits these kinds.
 * `heard`: references whose comments reach svc.
 */
export const listFollowedNames = (
  params: JobContext['params'],
  { kinds, heard = [] }: Pick<EventOf<'tool.await_event'>, 'kinds' | 'heard'>,
): string[] =>
  mayWakeBy(kinds, FOLLOWED_KIND)
    ? listReferences(params)
        .filter((reference) => heard.includes(reference))
        .map((reference) => findWrittenName(params, reference))
    : [];

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

/** Every event wakes the job; these two are done by people. */
const ANY_EVENT = 'a review or merge';

/** `a, b or c`; at most `most` names, the rest counted. */
function joinWithOr(names: readonly string[], most = names.length): string {
  const more = names.length - most;
  const shownNames = [...names.slice(0, most), ...(more > 0 ? [`${more} more`] : [])];
  const last = shownNames.pop() ?? '';
  return shownNames.length === 0 ? last : `${shownNames.join(', ')} or ${last}`;
}

const describeEventKinds = (kinds: EventWait['kinds']): string =>
  kinds === null ? ANY_EVENT : joinWithOr(kinds.map((kind) => KIND_WORDS[kind] ?? kind));

const describeTicketComment = (tickets: readonly string[]): string =>
  `a comment on ${joinWithOr(tickets.map((name) => `ticket ${name}`))}`;

/** What wakes the job, for these pull requests or tickets; empty = none is named. */
function describeWakers(
  kinds: EventWait['kinds'],
  prs: readonly string[],
  tickets: readonly string[],
): string {
  const parts = [
    ...(prs.length > 0 ? [`${describeEventKinds(kinds)} of ${joinWithOr(prs, MAX_NAMED)}`] : []),
    ...(tickets.length > 0 ? [describeTicketComment(tickets)] : []),
  ];
  return parts.join(', or ');
}

const listOpenPrNames = (prs: readonly PrRef[], first: string | null = null): string[] =>
  prs
    .filter(({ state }) => !isPrEnd(state))
    .sort((a, b) => Number(b.prId === first) - Number(a.prId === first))
    .map(({ repo, number }) => `${repo}#${number}`);

/** For people: what a job with these pull requests waits for, as of the start of the wait. */
export function describeEventWait(
  { kinds, prId, external, followed = [] }: EventWait,
  prs: readonly PrRef[],
): string {
  if (external !== undefined) return `waits for a person: ${external}`;
  const names = listOpenPrNames(prs, prId);
  const isTicketAlone = prs.length === 0 && followed.length > 0;
  const places = names.length > 0 || isTicketAlone ? names : ['one of its pull requests'];
  return `waits for ${describeWakers(kinds, places, followed)}`;
}

/** The same as of now, naming each open pull request and followed ticket; null = none. */
export function describeCurrentWait(
  { kinds }: Pick<EventWait, 'kinds'>,
  prs: readonly PrRef[],
  references: readonly string[],
): string | null {
  const all = describeWakers(kinds, listOpenPrNames(prs), references);
  return all === '' ? null : `for ${all}`;
}
