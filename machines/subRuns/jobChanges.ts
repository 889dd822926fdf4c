import { isAccepted, isStopping, type Mark, markAt, statusOf, withMarks } from './graph.ts';
import { unhindered } from './hinderedChanges.ts';
import {
  by,
  line,
  marked,
  patch,
  positionOf,
  type SubRunsChange,
  type SubRunsOutcome,
} from './outcome.ts';
import { recalledBy, revivedBy } from './readySet.ts';
import type { SubRunsContext } from './subRunsContext.ts';
import type { JobOutcome } from '../../src/domain/jobOutcomes.ts';

const MARK_OF: Readonly<Record<JobOutcome, Mark>> = {
  complete: 'c',
  failed: 'f',
  escalated: 'e',
  cancelled: 'f',
};

/**
 * How a sub-run counts when its job has ended. One that was to be skipped is skipped unless it got
 * done first; one that was to be cancelled counts for what it has become.
 */
const endMark = (mark: Mark, outcome: JobOutcome): Mark =>
  mark === 'k' && outcome !== 'complete' ? 's' : MARK_OF[outcome];

const cancelledText = (message: string | null): string =>
  `cancelled${message === null ? '' : `: ${message}`}`;

function ended(
  context: SubRunsContext,
  event: { name: string; at: number },
  outcome: JobOutcome,
  message: string | null,
): SubRunsOutcome {
  const { name, at } = event;
  const n = positionOf(context, name);
  const before = markAt(context.graph, n);
  const now = endMark(before, outcome);
  // Cancelled after the campaign had continued in spite of it: nothing new to decide about.
  const mark = isAccepted(before) && now === 'f' ? 'F' : now;
  // A command has written down its reason already.
  const why = mark === 'c' ? null : (message ?? outcome);
  const reason = !isStopping(before) || mark === 'c' ? { reason: why } : {};
  return {
    context: marked(context, n, mark),
    effects: [
      patch(context, name, { status: statusOf(mark), completedAt: at, ...reason }),
      line(context, event, `${name} is ${statusOf(mark)}${why === null ? '' : `: ${why}`}`),
    ],
  };
}

/** Changes that the sub-runs' jobs bring about. */
export const jobChanges = {
  begin: by(['subRun.prepared'], (context, event) => {
    const { name, jobId, input } = event;
    const begun = marked(context, positionOf(context, name), 'b');
    const over = unhindered({ ...context, ...begun });
    return {
      context: { ...begun, ...over.context },
      effects: [
        { type: 'actor.start', params: { chart: 'job', id: jobId, input } },
        patch(context, name, { jobId, startedAt: event.at }),
        line(context, event, `${name} begins as ${jobId}`),
        ...over.effects,
      ],
    };
  }),
  /** Stopped before it had a job. */
  endUnbegun: by(['subRun.prepared', 'subRun.unprepared', 'subRun.postponed'], (context, event) =>
    ended(context, event, 'cancelled', null),
  ),
  failUnprepared: by(['subRun.unprepared', 'effect.givenUp'], (context, event) =>
    ended(
      context,
      event,
      'failed',
      event.type === 'subRun.unprepared' ? event.message : event.error,
    ),
  ),
  /** It runs on; the command can be given again. */
  takeBackStop: by(['effect.givenUp'], (context, event) => ({
    context: marked(context, positionOf(context, event.name), 'b'),
    effects: [
      patch(context, event.name, { reason: null }),
      line(context, event, `${event.name} could not be stopped: ${event.error}`),
    ],
  })),
  finish: by(['subRun.ended'], (context, event) =>
    ended(
      context,
      event,
      event.outcome,
      event.outcome === 'cancelled' ? cancelledText(event.message) : event.message,
    ),
  ),
  /** It had failed or escalated before. */
  noteCancelled: by(['subRun.ended'], (context, event) =>
    ended(context, event, 'cancelled', cancelledText(event.message)),
  ),
  reopen: by(['subRun.reopened'], (context, event) => {
    const { graph } = context;
    const n = positionOf(context, event.name);
    // As with a rerun: what was skipped because of it has another chance, and what was about to
    // begin after it waits again.
    const waiting = [...revivedBy(graph, [n]), ...recalledBy(graph, [n])];
    const marks = new Map<number, Mark>([[n, 'b']]);
    for (const position of waiting) marks.set(position, 'p');
    return {
      context: { graph: withMarks(graph, marks) },
      effects: [
        patch(context, event.name, { status: 'dispatched', reason: null, completedAt: null }),
        ...waiting.map((other) =>
          patch(context, graph.names[other] ?? '', {
            status: 'pending',
            reason: null,
            completedAt: null,
          }),
        ),
        line(context, event, `${event.name} continues: a person has continued its job`),
      ],
    };
  }),
} satisfies Record<string, SubRunsChange>;
