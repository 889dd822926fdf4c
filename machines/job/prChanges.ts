import type { Awaited } from './awaited.ts';
import { by, type JobChange, type Patch } from './change.ts';
import type { JobContext, PrRef } from './jobContext.ts';
import { line } from './log.ts';
import { awaitedOf, newsOf, park } from './personChanges.ts';
import { eventRow, prProblemPatch, prStatePatch } from './rows.ts';
import { awaitedText } from './rules/awaitedText.ts';
import { addUnread } from './rules/countUnread.ts';
import { lapsAfterEvent } from './rules/laps.ts';
import { newsHappened } from './rules/monitors.ts';
import { isStalled, waitProblems } from './rules/waitProblems.ts';
import { afterNews, isHeld } from './rules/wakeMatch.ts';
import { shorten } from '../../src/domain/clip.ts';
import { MAX_KEPT_REASON_CHARS } from '../../src/domain/jobLimits.ts';
import type { Parked } from '../../src/schema/job.ts';
import type { ProviderEvent } from '../../src/schema/pr.ts';

/** Of a comment that does not wake the job. */
const HELD = '; held in the inbox, a resume delivers it';

const newsText = (event: ProviderEvent): string => `${newsOf(event)} by ${event.author}`;

/** What a job that waits for an event waits for, with what speaks against it. */
const eventWait = (
  awaited: Awaited,
  prs: readonly PrRef[],
): Pick<Parked, 'reason' | 'needsPerson'> => {
  const problems = waitProblems(awaited, prs);
  const text = awaitedText(awaited, prs);
  return {
    reason: shorten(
      problems.length === 0 ? text : `${text}; but ${problems.join('; ')}`,
      MAX_KEPT_REASON_CHARS,
    ),
    ...(isStalled(awaited, prs) ? { needsPerson: true } : {}),
  };
};

/** The same of one that waits already, where its pull requests have changed. */
const waitAgain = ({ awaited, parked }: JobContext, prs: readonly PrRef[]): Patch => {
  if (parked?.kind !== 'event' || awaited === null) return {};
  const { kind, since } = parked;
  const wait = eventWait(awaited, prs);
  const isSame = wait.reason === parked.reason && wait.needsPerson === parked.needsPerson;
  return isSame ? {} : { parked: { kind, since, ...wait } };
};

/** Changes that events of pull requests bring about, and the waits for them. */
export const prChanges = {
  /** Counts the event and stores it under its number. */
  receiveEvent: by(['forge.event'], (context, { at, ...news }) => {
    const { event } = news;
    const { inbox, unread, prs } = context;
    const n = inbox.arrived + 1;
    const held = isHeld(news);
    const prsNow = afterNews(prs, event);
    return {
      context: {
        ...waitAgain(context, prsNow),
        inbox: { ...inbox, arrived: n },
        unread: held ? unread : addUnread(unread, event),
        prs: prsNow,
        ...lapsAfterEvent(context, event.kind),
        ...newsHappened(context, event),
      },
      effects: [
        { type: 'row.put', params: eventRow(context, news, n) },
        line(context, { at }, 'event', `${newsText(event)}${held ? HELD : ''}`),
      ],
    };
  }),
  /**
   * No agent has to read it, but a job that is run again must know that the pull request gets no
   * more news.
   */
  noteOver: by(['forge.event'], (context, { event, at }) => ({
    context: { prs: afterNews(context.prs, event), ...newsHappened(context, event) },
    effects: [
      { type: 'row.patch', params: prStatePatch(context, event) },
      line(context, { at }, 'event', newsText(event)),
    ],
  })),

  notePrProblems: by(['pr.problems'], (context, { at, found }) => {
    const changed = found.flatMap(({ prId, problem }) => {
      const pr = context.prs.find((one) => one.prId === prId);
      return pr && (pr.blocked?.why ?? null) !== (problem?.why ?? null) ? [{ pr, problem }] : [];
    });
    const prs = context.prs.map((pr) => {
      const change = changed.find((one) => one.pr === pr);
      if (change === undefined) return pr;
      const { blocked: _over, ...rest } = pr;
      return change.problem === null ? rest : { ...rest, blocked: change.problem };
    });
    return {
      context: { prs, ...waitAgain(context, prs) },
      effects: changed.flatMap(({ pr, problem }) => [
        { type: 'row.patch' as const, params: prProblemPatch(pr, problem) },
        line(
          context,
          { at },
          'event',
          problem === null
            ? `${pr.prId}: no longer so: ${pr.blocked?.why}`
            : `${pr.prId}: ${problem.why}`,
        ),
      ]),
    };
  }),

  parkForEvent: (context, event) => {
    const { reason, ...more } = eventWait(awaitedOf(context), context.prs);
    const { parked } = park(context, event, 'event', reason);
    return { context: { parked: { ...parked, ...more } } };
  },
  parkForExternal: (context, event) => ({
    context: park(context, event, 'external', awaitedText(awaitedOf(context), context.prs)),
  }),
} satisfies Record<string, JobChange>;
