import {
  isAcceptedMark,
  isStoppingMark,
  type Mark,
  readMark,
  toSubRunStatus,
  setMarks,
} from './graph.ts';
import { endHindrance } from './hindranceChanges.ts';
import {
  onSubRunsEvent,
  createCampaignLogEffect,
  markSubRun,
  patchSubRun,
  requirePosition,
  type SubRunsChange,
  type SubRunsOutcome,
} from './subRunEffects.ts';
import { findRecalledSubRuns, findRevivedSubRuns } from './advanceCampaign.ts';
import type { SubRunsContext } from './subRunsContext.ts';
import type { JobOutcome } from '../../src/base/jobs/jobOutcomes.ts';

const MARK_OF: Readonly<Record<JobOutcome, Mark>> = {
  complete: 'c',
  failed: 'f',
  escalated: 'e',
  cancelled: 'f',
};

/**
 * The mark after a job's end. A sub-run to be skipped is skipped unless it completed first; one to
 * be cancelled gets what it became.
 */
const deriveEndMark = (mark: Mark, outcome: JobOutcome): Mark =>
  mark === 'k' && outcome !== 'complete' ? 's' : MARK_OF[outcome];

const describeCancellation = (message: string | null): string =>
  `cancelled${message === null ? '' : `: ${message}`}`;

function recordSubRunEnd(
  context: SubRunsContext,
  event: { name: string; at: number },
  outcome: JobOutcome,
  message: string | null,
): SubRunsOutcome {
  const { name, at } = event;
  const n = requirePosition(context, name);
  const before = readMark(context.graph, n);
  const now = deriveEndMark(before, outcome);
  // Cancelled after the campaign continued despite it: nothing new to decide.
  const mark = isAcceptedMark(before) && now === 'f' ? 'F' : now;
  // A command has already recorded its reason.
  const why = mark === 'c' ? null : (message ?? outcome);
  const reason = !isStoppingMark(before) || mark === 'c' ? { reason: why } : {};
  return {
    context: markSubRun(context, n, mark),
    effects: [
      patchSubRun(context, name, { status: toSubRunStatus(mark), completedAt: at, ...reason }),
      createCampaignLogEffect(
        context,
        event,
        `${name} is ${toSubRunStatus(mark)}${why === null ? '' : `: ${why}`}`,
      ),
    ],
  };
}

export const jobChanges = {
  begin: onSubRunsEvent(['subRun.prepared'], (context, event) => {
    const { name, jobId, input } = event;
    const changes = markSubRun(context, requirePosition(context, name), 'b');
    const over = endHindrance({ ...context, ...changes });
    return {
      context: { ...changes, ...over.context },
      effects: [
        { type: 'actor.start', params: { chart: 'job', id: jobId, input } },
        patchSubRun(context, name, { jobId, startedAt: event.at }),
        createCampaignLogEffect(context, event, `${name} begins as ${jobId}`),
        ...over.effects,
      ],
    };
  }),
  /** The sub-run was stopped before it had a job. */
  endUnbegun: onSubRunsEvent(
    ['subRun.prepared', 'subRun.unprepared', 'subRun.postponed'],
    (context, event) => recordSubRunEnd(context, event, 'cancelled', null),
  ),
  failUnprepared: onSubRunsEvent(['subRun.unprepared', 'effect.givenUp'], (context, event) =>
    recordSubRunEnd(
      context,
      event,
      'failed',
      event.type === 'subRun.unprepared' ? event.message : event.error,
    ),
  ),
  /** The job runs on; the command can be repeated. */
  takeBackStop: onSubRunsEvent(['effect.givenUp'], (context, event) => ({
    context: markSubRun(context, requirePosition(context, event.name), 'b'),
    effects: [
      patchSubRun(context, event.name, { reason: null }),
      createCampaignLogEffect(context, event, `${event.name} could not be stopped: ${event.error}`),
    ],
  })),
  finish: onSubRunsEvent(['subRun.ended'], (context, event) =>
    recordSubRunEnd(
      context,
      event,
      event.outcome,
      event.outcome === 'cancelled' ? describeCancellation(event.message) : event.message,
    ),
  ),
  /** The sub-run had failed or escalated before. */
  noteCancelled: onSubRunsEvent(['subRun.ended'], (context, event) =>
    recordSubRunEnd(context, event, 'cancelled', describeCancellation(event.message)),
  ),
  reopen: onSubRunsEvent(['subRun.reopened'], (context, event) => {
    const { graph } = context;
    const n = requirePosition(context, event.name);
    // As with a rerun: sub-runs that were skipped because of it are revived, and those that were
    // about to begin after it wait again.
    const waiting = [...findRevivedSubRuns(graph, [n]), ...findRecalledSubRuns(graph, [n])];
    const marks = new Map<number, Mark>([[n, 'b']]);
    for (const position of waiting) marks.set(position, 'p');
    return {
      context: { graph: setMarks(graph, marks) },
      effects: [
        patchSubRun(context, event.name, { status: 'dispatched', reason: null, completedAt: null }),
        ...waiting.map((other) =>
          patchSubRun(context, graph.names[other] ?? '', {
            status: 'pending',
            reason: null,
            completedAt: null,
          }),
        ),
        createCampaignLogEffect(
          context,
          event,
          `${event.name} continues: a person has continued its job`,
        ),
      ],
    };
  }),
} satisfies Record<string, SubRunsChange>;
