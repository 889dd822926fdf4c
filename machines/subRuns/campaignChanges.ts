import { toEventTime } from '../kit/eventTime.ts';
import {
  toAcceptedMarks,
  hasUndecidedMark,
  countStatuses,
  EMPTY_GRAPH,
  isMarkWithJob,
  isBrokenMark,
  isTerminalMark,
  type Mark,
  readMark,
  toSubRunStatus,
  setMarks,
} from './graph.ts';
import { endHindrance } from './hindranceChanges.ts';
import {
  dismissFailureAsks,
  onSubRunsEvent,
  type Effect,
  createCampaignLogEffect,
  patchSubRun,
  type SubRunsChange,
  type SubRunsOutcome,
  sendToActor,
} from './subRunEffects.ts';
import { advanceCampaign } from './advanceCampaign.ts';
import { dropSubRuns, toSubRunRow } from './subRunRows.ts';
import type { SubRunsContext } from './subRunsContext.ts';

/** Most failed names reported to the parent; the rest are counted. */
const MAX_NAMES_REPORTED = 20;

const createAdvanceChange =
  (hold: boolean): SubRunsChange =>
  (context, event) => {
    const { graph, dispatched, ready, waiting, unreachable } = advanceCampaign(
      context.graph,
      context,
      hold,
    );
    const name = (n: number): string => graph.names[n] ?? '';
    const at = toEventTime(context, event);
    const effects: Effect[] = [
      ...unreachable.flatMap(({ n, because }) => [
        patchSubRun(context, name(n), { status: 'skipped', reason: because, completedAt: at }),
        createCampaignLogEffect(context, event, `${name(n)} is skipped: ${because}`),
      ]),
      ...ready.map((n) => patchSubRun(context, name(n), { status: 'ready' })),
      ...waiting.map((n) => patchSubRun(context, name(n), { status: 'pending' })),
      ...dispatched.flatMap((n): Effect[] => [
        patchSubRun(context, name(n), { status: 'dispatched', reason: null }),
        {
          type: 'subRun.dispatch',
          params: {
            parentJobId: context.parentJobId,
            name: name(n),
            attempt: graph.attempts[n] ?? 1,
          },
        },
      ]),
    ];
    const over = endHindrance({ ...context, graph });
    return { context: { graph, ...over.context }, effects: [...effects, ...over.effects] };
  };

const describeStatusCounts = (context: SubRunsContext): string =>
  Object.entries(countStatuses(context.graph))
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');

const PARENT_ENDED = 'its parent has ended';

/** Skips what has no job yet. */
function skipOpenSubRuns(
  context: SubRunsContext,
  event: { at?: number },
): Required<SubRunsOutcome> {
  const { graph } = context;
  const open = [...graph.marks].flatMap((mark, n) => ('prwd'.includes(mark) ? [n] : []));
  const closedGraph = setMarks(graph, new Map(open.map((n): [number, Mark] => [n, 'u'])));
  const over = endHindrance({ ...context, graph: closedGraph });
  return {
    context: { graph: closedGraph, ...over.context },
    effects: [
      ...open.map((n) =>
        patchSubRun(context, graph.names[n] ?? '', {
          status: 'skipped',
          reason: PARENT_ENDED,
          completedAt: toEventTime(context, event),
        }),
      ),
      ...over.effects,
    ],
  };
}

export const campaignChanges = {
  register: onSubRunsEvent(['subRuns.register'], (context, { spec, kept }) => {
    if (kept === true) return {};
    const { graph, parentJobId } = context;
    const position = graph.names.indexOf(spec.name);
    const n = position < 0 ? graph.names.length : position;
    const attempt = graph.attempts[n] ?? 1;
    const set = <T>(list: readonly T[], value: T): T[] =>
      position < 0 ? [...list, value] : list.with(n, value);
    const marks = position < 0 ? `${graph.marks}p` : setMarks(graph, new Map([[n, 'p']])).marks;
    return {
      context: {
        graph: {
          names: set(graph.names, spec.name),
          dependsOn: set(graph.dependsOn, spec.dependsOn ?? []),
          marks,
          attempts: set(graph.attempts, attempt),
        },
      },
      effects: [{ type: 'row.put', params: toSubRunRow(parentJobId, n, spec, attempt) }],
    };
  }),
  /** Revives what only the dispatcher skipped; what waits for a failure is skipped again. */
  finalize: onSubRunsEvent(['subRuns.finalize'], (context, event) => {
    const { graph } = context;
    const skippedPositions = [...graph.marks].flatMap((mark, n) => (mark === 'u' ? [n] : []));
    const open = [...graph.marks].filter(
      (mark) => mark === 'u' || !isTerminalMark(mark as Mark),
    ).length;
    return {
      context: {
        cap: event.cap,
        policy: event.policy,
        graph: setMarks(graph, new Map(skippedPositions.map((n): [number, Mark] => [n, 'p']))),
      },
      effects: [
        ...skippedPositions.map((n) =>
          patchSubRun(context, graph.names[n] ?? '', {
            status: 'pending',
            reason: null,
            completedAt: null,
          }),
        ),
        createCampaignLogEffect(
          context,
          event,
          `${open} sub-runs are planned, at most ${event.cap} at once, ${event.policy} on a failure`,
        ),
      ],
    };
  }),
  /** The campaign continues despite its failures: only new ones halt it or need a person. */
  acceptFailures: (context, event) => ({
    context: {
      graph: { ...context.graph, marks: toAcceptedMarks(context.graph.marks) },
      skippedFrom: {},
    },
    effects: hasUndecidedMark(context.graph) ? dismissFailureAsks(context, event, {}) : [],
  }),
  clear: (context) => ({
    context: { graph: EMPTY_GRAPH, agentReruns: [], skippedFrom: {} },
    effects: [{ type: 'row.drop', params: dropSubRuns(context.parentJobId) }],
  }),
  advance: createAdvanceChange(false),
  advanceHeld: createAdvanceChange(true),
  tellHalted: (context) => {
    const brokenNames = context.graph.names.filter((_, n) =>
      ['f', 'e'].includes(readMark(context.graph, n)),
    );
    return {
      effects: [
        sendToActor(context.parentJobId, {
          type: 'subRuns.halted',
          names: brokenNames.slice(0, MAX_NAMES_REPORTED),
        }),
      ],
    };
  },
  tellGoOn: ({ parentJobId }) => ({
    effects: [sendToActor(parentJobId, { type: 'subRuns.goOn' })],
  }),
  tellSettled: (context, event) => {
    const { graph, parentJobId } = context;
    const failures = graph.names.flatMap((name, n) => {
      const mark = readMark(graph, n);
      return isBrokenMark(mark) || mark === 'u' ? [{ name, status: toSubRunStatus(mark) }] : [];
    });
    return {
      effects: [
        createCampaignLogEffect(
          context,
          event,
          `all sub-runs have ended: ${describeStatusCounts(context)}`,
        ),
        sendToActor(parentJobId, {
          type: 'subRuns.settled',
          counts: countStatuses(graph),
          failures: failures.slice(0, MAX_NAMES_REPORTED),
          failed: failures.length,
        }),
      ],
    };
  },
  tellReopened: ({ parentJobId }) => ({
    effects: [sendToActor(parentJobId, { type: 'subRuns.reopened' })],
  }),
  /** The parent has ended: stops what runs and skips what has not begun. */
  close: (context, event) => {
    const { graph, parentJobId } = context;
    const running = [...graph.marks].flatMap((mark, n) => (isMarkWithJob(mark as Mark) ? [n] : []));
    const outcome = skipOpenSubRuns(context, event);
    const stoppedMarks = new Map(running.map((n): [number, Mark] => [n, 'x']));
    return {
      context: {
        ...outcome.context,
        graph: setMarks(outcome.context.graph ?? graph, stoppedMarks),
      },
      effects: [
        ...outcome.effects,
        ...running.flatMap((n): Effect[] => {
          const name = graph.names[n] ?? '';
          return [
            patchSubRun(context, name, { reason: `cancelled: ${PARENT_ENDED}` }),
            {
              type: 'subRun.stop',
              params: { parentJobId, name, attempt: graph.attempts[n] ?? 1, reason: PARENT_ENDED },
            },
          ];
        }),
      ],
    };
  },
  skipOpen: skipOpenSubRuns,
} satisfies Record<string, SubRunsChange>;
