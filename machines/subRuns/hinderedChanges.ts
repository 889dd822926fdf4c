import { shorten } from '../../src/domain/clip.ts';
import { MAX_KEPT_REASON_CHARS } from '../../src/domain/jobLimits.ts';
import { timeOf } from '../kit/eventTime.ts';
import { MAX_OUTAGE_WAITS, outageUntil } from '../job/rules/outage.ts';
import { type Mark, withMarks } from './graph.ts';
import { by, type Effect, line, marked, patch, positionOf, send } from './outcome.ts';
import type { SubRunsChange } from './outcome.ts';
import type { Hindered, SubRunsContext } from './subRunsContext.ts';

const RETRY_TIMER = 'retry';
/** Longest account of what is wrong, characters: what follows it must not be cut off. */
const MAX_MESSAGE_CHARS = MAX_KEPT_REASON_CHARS - 200;

const minuteOf = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').slice(0, 16);

/** For people: what is wrong, and when it is tried again. */
const textOf = ({ message, needsPerson, until }: Hindered): string => {
  const when = until === null ? 'now' : `at ${minuteOf(until)} UTC`;
  const whose = needsPerson ? 'A person has to repair it; svc' : 'svc';
  return `${message} ${whose} tries again by itself ${when}.`;
};

const tell = ({ parentJobId }: SubRunsContext, hindered: Hindered | null): Effect =>
  send(parentJobId, {
    type: 'subRuns.hindered',
    message: hindered && textOf(hindered),
    needsPerson: hindered?.needsPerson ?? false,
  });

/** What ends with the last sub-run that has no job for such a reason; nothing before. */
export const unhindered = (
  context: SubRunsContext,
): { context: Partial<SubRunsContext>; effects: Effect[] } => {
  const { hindered, graph } = context;
  // One that is being tried now may be hindered again.
  if (!hindered || /[wd]/.test(graph.marks)) return { context: {}, effects: [] };
  return {
    context: { hindered: null },
    effects: [{ type: 'timer.cancel', params: { name: RETRY_TIMER } }, tell(context, null)],
  };
};

/** Changes by sub-runs whose jobs cannot be created now, which is no failure. */
export const hinderedChanges = {
  /** All of them are tried again together. */
  postpone: by(['subRun.postponed', 'effect.givenUp'], (context, event) => {
    const { name } = event;
    const now = timeOf(context, event);
    const error = event.type === 'subRun.postponed' ? event.message : event.error;
    const isForPerson = event.type === 'subRun.postponed' && event.needsPerson;
    const reason = shorten(error, MAX_MESSAGE_CHARS);
    const before = context.hindered ?? null;
    const isFirst = before === null || before.until === null;
    const waits = (before?.waits ?? 0) + (isFirst ? 1 : 0);
    const until = before?.until ?? outageUntil(now, waits - 1);
    const needsPerson = isForPerson || waits > MAX_OUTAGE_WAITS;
    const isNews = isFirst || (needsPerson && !before.needsPerson);
    const stop = /[.!?]$/.test(reason) ? '' : '.';
    const hindered: Hindered = isNews
      ? {
          message: `the job of ${name} cannot be created: ${reason}${stop}`,
          needsPerson,
          waits,
          until,
        }
      : before;
    return {
      context: { ...marked(context, positionOf(context, name), 'w'), hindered },
      effects: [
        patch(context, name, { status: 'ready', reason: error }),
        ...(isFirst
          ? [
              {
                type: 'timer.set' as const,
                params: { name: RETRY_TIMER, due: until, event: { type: 'subRuns.retry' } },
              },
            ]
          : []),
        ...(isNews ? [line(context, event, textOf(hindered)), tell(context, hindered)] : []),
      ],
    };
  }),
  retryHindered: (context) => {
    const { graph, hindered } = context;
    if (!hindered) return {};
    const waiting = [...graph.marks].flatMap((mark, n) => (mark === 'w' ? [n] : []));
    return {
      context: {
        graph: withMarks(graph, new Map(waiting.map((n): [number, Mark] => [n, 'p']))),
        hindered: { ...hindered, until: null },
      },
      effects: [{ type: 'timer.cancel', params: { name: RETRY_TIMER } }],
    };
  },
  tellHindered: (context) => ({ effects: [tell(context, context.hindered ?? null)] }),
} satisfies Record<string, SubRunsChange>;
