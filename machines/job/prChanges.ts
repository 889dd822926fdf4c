import type { EventWait } from './eventWait.ts';
import { onJobEvent, type JobChange, type Patch } from './change.ts';
import type { JobContext, PrRef } from './jobContext.ts';
import { createLogEffect } from './log.ts';
import { requireEventWait, formatPrNews, createParkRecord } from './personChanges.ts';
import { toInboxEventRow, buildPrProblemPatch, buildPrStatePatch } from './rows.ts';
import { describeEventWait } from './rules/describeEventWait.ts';
import { addUnread } from './rules/joinUnread.ts';
import { resetLoopsAfterEvent } from './rules/loops.ts';
import { recordForgeEvent } from './rules/monitors.ts';
import { isStalled, findWaitProblems } from './rules/findWaitProblems.ts';
import { applyPrEvent, isHeldEvent } from './rules/wakeMatch.ts';
import { shorten } from '../../src/base/text/clip.ts';
import { MAX_KEPT_REASON_CHARS } from '../../src/base/limits/jobLimits.ts';
import type { Parked } from '../../src/contract/schema/job/job.ts';
import type { ProviderEvent } from '../../src/contract/schema/forge/pr.ts';

/** Log text for a comment that does not wake the job. */
const HELD = '; held in the inbox, a resume delivers it';

const describePrNews = (event: ProviderEvent): string =>
  `${formatPrNews(event)} by ${event.author}`;

const buildWaitReason = (
  wait: EventWait,
  prs: readonly PrRef[],
): Pick<Parked, 'reason' | 'needsPerson'> => {
  const problems = findWaitProblems(wait, prs);
  const text = describeEventWait(wait, prs);
  return {
    reason: shorten(
      problems.length === 0 ? text : `${text}; but ${problems.join('; ')}`,
      MAX_KEPT_REASON_CHARS,
    ),
    ...(isStalled(wait, prs) ? { needsPerson: true } : {}),
  };
};

const refreshEventWait = ({ awaited, parked }: JobContext, prs: readonly PrRef[]): Patch => {
  if (parked?.kind !== 'event' || awaited === null) return {};
  const { kind, since } = parked;
  const wait = buildWaitReason(awaited, prs);
  const isSame = wait.reason === parked.reason && wait.needsPerson === parked.needsPerson;
  return isSame ? {} : { parked: { kind, since, ...wait } };
};

export const prChanges = {
  receiveEvent: onJobEvent(['forge.event'], (context, { at, ...news }) => {
    const { event } = news;
    const { inbox, unread, prs } = context;
    const n = inbox.arrived + 1;
    const isHeld = isHeldEvent(news);
    const prsNow = applyPrEvent(prs, event);
    return {
      context: {
        ...refreshEventWait(context, prsNow),
        inbox: { ...inbox, arrived: n },
        unread: isHeld ? unread : addUnread(unread, event),
        prs: prsNow,
        ...resetLoopsAfterEvent(context, event.kind),
        ...recordForgeEvent(context, event),
      },
      effects: [
        { type: 'row.put', params: toInboxEventRow(context, news, n) },
        createLogEffect(context, { at }, 'event', `${describePrNews(event)}${isHeld ? HELD : ''}`),
      ],
    };
  }),
  /** No agent must read it, but later runs must know that the pull request brings no more news. */
  noteOver: onJobEvent(['forge.event'], (context, { event, at }) => ({
    context: { prs: applyPrEvent(context.prs, event), ...recordForgeEvent(context, event) },
    effects: [
      { type: 'row.patch', params: buildPrStatePatch(context, event) },
      createLogEffect(context, { at }, 'event', describePrNews(event)),
    ],
  })),

  notePrProblems: onJobEvent(['pr.problems'], (context, { at, found }) => {
    const problems = found.flatMap(({ prId, problem }) => {
      const pr = context.prs.find((one) => one.prId === prId);
      return pr && (pr.blocked?.why ?? null) !== (problem?.why ?? null) ? [{ pr, problem }] : [];
    });
    const prs = context.prs.map((pr) => {
      const change = problems.find((one) => one.pr === pr);
      if (change === undefined) return pr;
      const { blocked: _over, ...rest } = pr;
      return change.problem === null ? rest : { ...rest, blocked: change.problem };
    });
    return {
      context: { prs, ...refreshEventWait(context, prs) },
      effects: problems.flatMap(({ pr, problem }) => [
        { type: 'row.patch' as const, params: buildPrProblemPatch(pr, problem) },
        createLogEffect(
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
    const { reason, ...more } = buildWaitReason(requireEventWait(context), context.prs);
    const { parked } = createParkRecord(context, event, 'event', reason);
    return { context: { parked: { ...parked, ...more } } };
  },
  parkForExternal: (context, event) => ({
    context: createParkRecord(
      context,
      event,
      'external',
      describeEventWait(requireEventWait(context), context.prs),
    ),
  }),
} satisfies Record<string, JobChange>;
