import { MANUAL_RESUME, REJECT } from '../../../src/base/jobs/resumeKeys.ts';
import type { ProviderEventKind } from '../../../src/contract/schema/forge/pr.ts';
import { toEventKey, toEventKind } from './eventKey.ts';
import type { InboxItem } from './buildBatchPrompt.ts';
import type { PrRef } from '../jobContext.ts';
import { flattenUntrustedText } from './quoteUntrustedText.ts';
import { isPrEnd } from './wakeMatch.ts';

/** Most sentences about past events that begin a kickoff. */
export const MAX_HAPPENED_SENTENCES = 5;

/** What happened to a pull request, by kind; `x` is its id, or words for an unknown one. */
const OF_PULL_REQUESTS: Readonly<Record<ProviderEventKind, (x: string) => string>> = {
  approved: (x) => `A reviewer approved ${x}`,
  changes_requested: (x) => `A reviewer requested changes on ${x}`,
  commented: (x) => `A reviewer commented on ${x}`,
  review_thread: (x) => `A reviewer commented on the code of ${x}`,
  check_failed: (x) => `A check of ${x} failed`,
  check_passed: (x) => `All checks of ${x} are green`,
  conflict: (x) => `${x} can no longer be merged without further work`,
  merged: (x) => `${x} was merged`,
  closed: (x) => `${x} was closed without a merge`,
  reopened: (x) => `${x} was opened again`,
};

const UNKNOWN = 'a pull request of this job';

const isProviderEventKind = (kind: string): kind is ProviderEventKind =>
  Object.hasOwn(OF_PULL_REQUESTS, kind);

const finishSentence = (sentence: string, times: number): string =>
  `${sentence}${times > 1 ? ` (${times} times)` : ''}.`;

function describeInboxGroup(
  { kind, pr_id }: Pick<InboxItem, 'kind' | 'pr_id'>,
  times: number,
  own: readonly string[],
): string {
  if (kind === 'message')
    return times === 1 ? 'A developer wrote to you.' : `Developers wrote to you ${times} times.`;
  const event = toEventKind(kind);
  const x = pr_id === null ? UNKNOWN : flattenUntrustedText(pr_id);
  if (event === 'commented' && pr_id !== null && !own.includes(pr_id))
    return finishSentence(`A comment was posted on ${x}`, times);
  const sentence = isProviderEventKind(event)
    ? OF_PULL_REQUESTS[event](x)
    : `${event} happened on ${x}`;
  return finishSentence(sentence.startsWith(UNKNOWN) ? `A${sentence.slice(1)}` : sentence, times);
}

/** Most pull requests that a sentence names. */
const MAX_NAMED = 10;

const listPrIdsForAgent = (prs: readonly Pick<PrRef, 'prId'>[]): string => {
  const more = prs.length - MAX_NAMED;
  const names = prs.slice(0, MAX_NAMED).map(({ prId }) => flattenUntrustedText(prId));
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ');
};

/**
 * What follows for the agent from merges and closes among the items: which pull requests are still
 * open, and that a person decided against a change. `prs`: current states; null = nothing follows.
 */
function describePrEnds(
  items: readonly Pick<InboxItem, 'kind' | 'pr_id'>[],
  prs: readonly Pick<PrRef, 'prId' | 'state'>[],
): string | null {
  const endedPrIds = items
    .filter(({ kind }) => isPrEnd(toEventKind(kind)))
    .map(({ pr_id }) => pr_id);
  const closedPrs = prs.filter(
    ({ prId, state }) => state === 'closed' && endedPrIds.includes(prId),
  );
  const isStillOver = prs.some(({ prId, state }) => state !== 'open' && endedPrIds.includes(prId));
  const open = isStillOver ? prs.filter(({ state }) => state === 'open') : [];
  const text = [
    ...(closedPrs.length > 0
      ? [
          `Do not open the change of ${listPrIdsForAgent(closedPrs)} again as it was: find out what is wanted instead, ask a person, or escalate.`,
        ]
      : []),
    ...(open.length > 0 ? [`Still open: ${listPrIdsForAgent(open)}.`] : []),
  ].join(' ');
  return text === '' ? null : text;
}

/**
 * One sentence per kind and pull request in order of arrival, plus what follows from merges and
 * closes; null = no items. `prs`: current states.
 */
export function describeInboxItems(
  items: readonly Pick<InboxItem, 'kind' | 'pr_id'>[],
  prs: readonly Pick<PrRef, 'prId' | 'state'>[],
): string | null {
  const own = prs.map(({ prId }) => prId);
  const groups = new Map<string, { first: (typeof items)[number]; times: number }>();
  for (const item of items) {
    const key = JSON.stringify([item.kind, item.kind === 'message' ? null : item.pr_id]);
    const group = groups.get(key);
    groups.set(key, { first: group?.first ?? item, times: (group?.times ?? 0) + 1 });
  }
  const sentences = [...groups.values()].map(({ first, times }) =>
    describeInboxGroup(first, times, own),
  );
  if (sentences.length === 0) return null;
  const shownSentences = sentences.slice(0, MAX_HAPPENED_SENTENCES);
  const more = sentences.length - shownSentences.length;
  const follows = describePrEnds(items, prs);
  return [
    ...shownSentences,
    ...(more > 0 ? ['More has happened, see below.'] : []),
    ...(follows === null ? [] : [follows]),
  ].join(' ');
}

const describeEventKey = (eventKey: string): string | null => {
  const kind = toEventKind(eventKey);
  return kind !== eventKey && isProviderEventKind(kind)
    ? describeInboxGroup({ kind: toEventKey(kind), pr_id: null }, 1, [])
    : null;
};

const BY_KEY: Readonly<Record<string, string>> = {
  approve: 'A developer approved the phase before this one.',
  [REJECT]: 'A developer rejected what was shown.',
  [MANUAL_RESUME]: 'A developer resumed the job.',
  'sub-runs': 'The sub-runs of this job are over.',
};

/**
 * The meaning of a resume key, as a sentence; null = nothing resumed the job. Events get one only
 * if `saysMore` is false: else the kickoff already describes them.
 */
export function describeResumeKey(eventKey: string | null, saysMore: boolean): string | null {
  if (eventKey === null) return null;
  const event = describeEventKey(eventKey);
  if (event !== null) return saysMore ? null : event;
  if (Object.hasOwn(BY_KEY, eventKey)) return BY_KEY[eventKey] ?? null;
  return `The job was resumed with the key ${JSON.stringify(flattenUntrustedText(eventKey))}.`;
}
