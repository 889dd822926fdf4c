import { formatUtcMinute } from '../../src/base/time/toIsoTime.ts';
import { shorten } from '../../src/base/text/clip.ts';
import { MAX_KEPT_REASON_CHARS } from '../../src/base/limits/jobLimits.ts';
import { toEventTime } from '../kit/eventTime.ts';
import { MAX_OUTAGE_WAITS, computeOutageRetry } from '../job/rules/outage.ts';
import { type Mark, setMarks } from './graph.ts';
import {
  onSubRunsEvent,
  createCampaignLogEffect,
  markSubRun,
  patchSubRun,
  requirePosition,
  sendToActor,
  type Effect,
  type SubRunsChange,
} from './subRunEffects.ts';
import type { CampaignHindrance, SubRunsContext } from './subRunsContext.ts';

export const RETRY_TIMER = 'retry';
/** Longest problem text, characters; leaves room for what follows it. */
const MAX_MESSAGE_CHARS = MAX_KEPT_REASON_CHARS - 200;

/** For people: what is wrong, and when it is retried. */
const describeHindrance = ({ message, needsPerson, until }: CampaignHindrance): string => {
  const when = until === null ? 'now' : `at ${formatUtcMinute(until)}`;
  const whose = needsPerson ? 'A person has to repair it; svc' : 'svc';
  return `${message} ${whose} tries again by itself ${when}.`;
};

const tellParentOfHindrance = (
  { parentJobId }: SubRunsContext,
  hindrance: CampaignHindrance | null,
): Effect =>
  sendToActor(parentJobId, {
    type: 'subRuns.hindered',
    message: hindrance && describeHindrance(hindrance),
    needsPerson: hindrance?.needsPerson ?? false,
  });

/** Ends the hindrance with the last sub-run that has no job because of it. */
export const endHindrance = (
  context: SubRunsContext,
): { context: Partial<SubRunsContext>; effects: Effect[] } => {
  const { hindered, graph } = context;
  // A sub-run that is being retried may be hindered again.
  if (!hindered || /[wd]/.test(graph.marks)) return { context: {}, effects: [] };
  return {
    context: { hindered: null },
    effects: [
      { type: 'timer.cancel', params: { name: RETRY_TIMER } },
      tellParentOfHindrance(context, null),
    ],
  };
};

export const hindranceChanges = {
  /** Retries all of them together. */
  postpone: onSubRunsEvent(['subRun.postponed', 'effect.givenUp'], (context, event) => {
    const { name } = event;
    const now = toEventTime(context, event);
    const error = event.type === 'subRun.postponed' ? event.message : event.error;
    const isForPerson = event.type === 'subRun.postponed' && event.needsPerson;
    const reason = shorten(error, MAX_MESSAGE_CHARS);
    const before = context.hindered ?? null;
    const isFirst = before === null || before.until === null;
    const waits = (before?.waits ?? 0) + (isFirst ? 1 : 0);
    const until = before?.until ?? computeOutageRetry(now, waits - 1);
    const needsPerson = isForPerson || waits > MAX_OUTAGE_WAITS;
    const isNews = isFirst || (needsPerson && !before.needsPerson);
    const stop = /[.!?]$/.test(reason) ? '' : '.';
    const hindrance: CampaignHindrance = isNews
      ? {
          message: `the job of ${name} cannot be created: ${reason}${stop}`,
          needsPerson,
          waits,
          until,
        }
      : before;
    return {
      context: { ...markSubRun(context, requirePosition(context, name), 'w'), hindered: hindrance },
      effects: [
        patchSubRun(context, name, { status: 'ready', reason: error }),
        ...(isFirst
          ? [
              {
                type: 'timer.set' as const,
                params: { name: RETRY_TIMER, due: until, event: { type: 'subRuns.retry' } },
              },
            ]
          : []),
        ...(isNews
          ? [
              createCampaignLogEffect(context, event, describeHindrance(hindrance)),
              tellParentOfHindrance(context, hindrance),
            ]
          : []),
      ],
    };
  }),
  retryHindered: (context) => {
    const { graph, hindered } = context;
    if (!hindered) return {};
    const waiting = [...graph.marks].flatMap((mark, n) => (mark === 'w' ? [n] : []));
    return {
      context: {
        graph: setMarks(graph, new Map(waiting.map((n): [number, Mark] => [n, 'p']))),
        hindered: { ...hindered, until: null },
      },
      effects: [{ type: 'timer.cancel', params: { name: RETRY_TIMER } }],
    };
  },
  tellHindered: (context) => ({
    effects: [tellParentOfHindrance(context, context.hindered ?? null)],
  }),
} satisfies Record<string, SubRunsChange>;
