import { compareDates, readTimeAt } from '../../base/json/untrusted.ts';
import { clip } from '../../base/text/clip.ts';
import type { ProviderEventKind } from '../../contract/schema/forge/pr.ts';
import type { PrCheck, AuthoredEvent } from '../../contract/forge/forge.ts';
import { isMarked, removeMark } from '../../git/marks.ts';
import { expectText } from './expectedValues.ts';
import type { UnreadParts } from './unreadParts.ts';

/** Longest reported text, characters; get_pr_comments reads the whole text at the forge. */
const MAX_NEWS_CHARS = 16_384;

const shortenNews = (text: string): string =>
  clip(text, MAX_NEWS_CHARS, (remaining) => `\n(${remaining} more characters)`);

export interface Doer {
  login: string;
  /** A program. */
  bot: boolean;
  /** May write to the repository. */
  member: boolean;
  /**
   * Unique names of the account, of which the first is compared with `self`; left out where the
   * login is unique.
   */
  identities?: readonly string[];
}

export interface RawEvent {
  kind: ProviderEventKind;
  /** The same in every report. */
  id: string;
  /** ISO 8601. */
  at: string;
  by: Doer;
  text?: string;
  url?: string | null;
}

/** CI is a program that must be heard, so its results are attributed to the check. */
export const createProgramDoer = (login: string): Doer => ({ login, bot: false, member: true });

export interface CheckRunResult extends PrCheck {
  run: string | number;
  /** ISO 8601: when it ended. */
  at: string;
}

/** Failed checks of the newest commit `head`, and the success of all if `allPassed`. */
export function toCheckEvents(
  head: string,
  checks: readonly CheckRunResult[],
  allPassed: boolean,
): RawEvent[] {
  const failedChecks = checks.flatMap(({ name, state, url, run, at }): RawEvent[] => {
    if (state !== 'failed') return [];
    expectText(name, 'the name of a check');
    const text = `The check ${name} has failed.`;
    return [
      {
        kind: 'check_failed',
        id: `${head}:${name}:${run}`,
        at,
        by: createProgramDoer(name),
        text,
        url,
      },
    ];
  });
  const at = checks
    .map((check) => check.at)
    .toSorted()
    .at(-1);
  if (!allPassed || at === undefined) return failedChecks;
  const text = 'All checks have passed.';
  return [
    ...failedChecks,
    { kind: 'check_passed', id: `${head}:${at}`, at, by: createProgramDoer('checks'), text },
  ];
}

/**
 * The pull request cannot be merged without further work. `commit`: newest commit of its branch.
 */
export const toConflictEvent = (
  commit: string,
  head: string,
  base: string,
  now: number,
): RawEvent => ({
  kind: 'conflict',
  id: commit,
  at: new Date(now).toISOString(),
  by: createProgramDoer('conflict'),
  text: `${head} conflicts with ${base}: merge ${base} into it and resolve the conflicts.`,
});

export interface NewsSubject {
  forge: string;
  repo: string;
  number: number;
  prId: string;
  url: string;
}

/**
 * All that has happened to a pull request, oldest first. The state comes last, whatever the clocks
 * say: a job that continues at the merge must not lose earlier news. `self`: login or identity of
 * svc's account; `selfIsPerson`: a person also uses the account, so only what svc has marked is its
 * own. Throws for an invalid author, text or address; with `parts` such an event is left out,
 * except the state.
 */
export function composeNews(
  { url: prUrl, ...pr }: NewsSubject,
  commentEvents: readonly RawEvent[],
  state: readonly RawEvent[],
  { self, selfIsPerson, now }: { self: string; selfIsPerson: boolean; now: number },
  parts?: UnreadParts,
): AuthoredEvent[] {
  expectText(prUrl, 'its address');
  const orderedEvents = commentEvents.toSorted((a, b) => compareDates(a.at, b.at));
  const toAuthored = ({ kind, id, at, by, text = '', url }: RawEvent): AuthoredEvent => {
    const isState = kind === 'merged' || kind === 'closed';
    expectText(by.login, 'the name of an author');
    expectText(text, 'the text of an event');
    expectText(url ?? '', 'the address of an event');
    const ours = (by.identities?.[0] ?? by.login).toLowerCase() === self.toLowerCase();
    // A merge is always reported: another job may have done it under the same account.
    const own = !isState && ours && (!selfIsPerson || isMarked(text));
    return {
      own,
      ...(ours && !own ? { account: true } : {}),
      bot: !isState && by.bot,
      member: by.member,
      ...(by.identities ? { identities: by.identities } : {}),
      event: {
        kind,
        ...pr,
        author: by.login,
        text: shortenNews(removeMark(text)),
        url: url || prUrl,
        externalId: `${pr.prId}:${kind}:${id}`,
        happenedAt: readTimeAt(at) ?? now,
      },
    };
  };
  const authoredEvents = parts
    ? parts.read(['comments'], orderedEvents, toAuthored)
    : orderedEvents.map(toAuthored);
  return [...authoredEvents, ...state.map(toAuthored)];
}
