import { timeOf } from '../kit/eventTime.ts';
import {
  acceptedMarks,
  anyUndecided,
  countsOf,
  EMPTY_GRAPH,
  hasJob,
  isBroken,
  isTerminal,
  type Mark,
  markAt,
  statusOf,
  withMarks,
} from './graph.ts';
import { unhindered } from './hinderedChanges.ts';
import {
  accepted,
  by,
  type Effect,
  line,
  patch,
  type SubRunsChange,
  type SubRunsOutcome,
  send,
} from './outcome.ts';
import { advance } from './readySet.ts';
import { dropSubRuns, subRunRow } from './subRunRows.ts';
import type { SubRunsContext } from './subRunsContext.ts';

/** Most names of failed sub-runs that are reported to the parent; the rest are counted. */
const MAX_NAMES_REPORTED = 20;

const moved =
  (hold: boolean): SubRunsChange =>
  (context, event) => {
    const { graph, dispatched, ready, waiting, unreachable } = advance(
      context.graph,
      context,
      hold,
    );
    const name = (n: number): string => graph.names[n] ?? '';
    const at = timeOf(context, event);
    const effects: Effect[] = [
      ...unreachable.flatMap(({ n, because }) => [
        patch(context, name(n), { status: 'skipped', reason: because, completedAt: at }),
        line(context, event, `${name(n)} is skipped: ${because}`),
      ]),
      ...ready.map((n) => patch(context, name(n), { status: 'ready' })),
      ...waiting.map((n) => patch(context, name(n), { status: 'pending' })),
      ...dispatched.flatMap((n): Effect[] => [
        patch(context, name(n), { status: 'dispatched', reason: null }),
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
    const over = unhindered({ ...context, graph });
    return { context: { graph, ...over.context }, effects: [...effects, ...over.effects] };
  };

const countText = (context: SubRunsContext): string =>
  Object.entries(countsOf(context.graph))
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');

const PARENT_ENDED = 'its parent has ended';

/** What has no job yet never gets one. */
function skipOpen(context: SubRunsContext, event: { at?: number }): Required<SubRunsOutcome> {
  const { graph } = context;
  const open = [...graph.marks].flatMap((mark, n) => ('prwd'.includes(mark) ? [n] : []));
  const closed = withMarks(graph, new Map(open.map((n): [number, Mark] => [n, 'u'])));
  const over = unhindered({ ...context, graph: closed });
  return {
    context: { graph: closed, ...over.context },
    effects: [
      ...open.map((n) =>
        patch(context, graph.names[n] ?? '', {
          status: 'skipped',
          reason: PARENT_ENDED,
          completedAt: timeOf(context, event),
        }),
      ),
      ...over.effects,
    ],
  };
}

/** Changes that concern the whole campaign. */
export const wholeChanges = {
  register: by(['subRuns.register'], (context, { spec, kept }) => {
    if (kept === true) return {};
    const { graph, parentJobId } = context;
    const known = graph.names.indexOf(spec.name);
    const n = known < 0 ? graph.names.length : known;
    const attempt = graph.attempts[n] ?? 1;
    const set = <T>(list: readonly T[], value: T): T[] =>
      known < 0 ? [...list, value] : list.with(n, value);
    const marks = known < 0 ? `${graph.marks}p` : withMarks(graph, new Map([[n, 'p']])).marks;
    return {
      context: {
        graph: {
          names: set(graph.names, spec.name),
          dependsOn: set(graph.dependsOn, spec.dependsOn ?? []),
          marks,
          attempts: set(graph.attempts, attempt),
        },
      },
      effects: [{ type: 'row.put', params: subRunRow(parentJobId, n, spec, attempt) }],
    };
  }),
  /**
   * What was only skipped by the dispatcher has another chance; what waits for a failure is skipped
   * again.
   */
  finalize: by(['subRuns.finalize'], (context, event) => {
    const { graph } = context;
    const skipped = [...graph.marks].flatMap((mark, n) => (mark === 'u' ? [n] : []));
    const open = [...graph.marks].filter(
      (mark) => mark === 'u' || !isTerminal(mark as Mark),
    ).length;
    return {
      context: {
        cap: event.cap,
        policy: event.policy,
        graph: withMarks(graph, new Map(skipped.map((n): [number, Mark] => [n, 'p']))),
      },
      effects: [
        ...skipped.map((n) =>
          patch(context, graph.names[n] ?? '', {
            status: 'pending',
            reason: null,
            completedAt: null,
          }),
        ),
        line(
          context,
          event,
          `${open} sub-runs are planned, at most ${event.cap} at once, ${event.policy} on a failure`,
        ),
      ],
    };
  }),
  /**
   * The campaign has continued in spite of its failures: from here on only new ones halt, and only
   * new ones need a person.
   */
  acceptFailures: (context, event) => ({
    context: {
      graph: { ...context.graph, marks: acceptedMarks(context.graph.marks) },
      skippedFrom: {},
    },
    effects: anyUndecided(context.graph) ? accepted(context, event, {}) : [],
  }),
  clear: (context) => ({
    context: { graph: EMPTY_GRAPH, agentReruns: [], skippedFrom: {} },
    effects: [{ type: 'row.drop', params: dropSubRuns(context.parentJobId) }],
  }),
  advance: moved(false),
  advanceHeld: moved(true),
  tellHalted: (context) => {
    const broken = context.graph.names.filter((_, n) =>
      ['f', 'e'].includes(markAt(context.graph, n)),
    );
    return {
      effects: [
        send(context.parentJobId, {
          type: 'subRuns.halted',
          names: broken.slice(0, MAX_NAMES_REPORTED),
        }),
      ],
    };
  },
  tellGoOn: ({ parentJobId }) => ({ effects: [send(parentJobId, { type: 'subRuns.goOn' })] }),
  tellSettled: (context, event) => {
    const { graph, parentJobId } = context;
    const failures = graph.names.flatMap((name, n) => {
      const mark = markAt(graph, n);
      return isBroken(mark) || mark === 'u' ? [{ name, status: statusOf(mark) }] : [];
    });
    return {
      effects: [
        line(context, event, `all sub-runs have ended: ${countText(context)}`),
        send(parentJobId, {
          type: 'subRuns.settled',
          counts: countsOf(graph),
          failures: failures.slice(0, MAX_NAMES_REPORTED),
          failed: failures.length,
        }),
      ],
    };
  },
  tellReopened: ({ parentJobId }) => ({
    effects: [send(parentJobId, { type: 'subRuns.reopened' })],
  }),
  /** The parent is over: what runs is stopped, what has not begun never will. */
  close: (context, event) => {
    const { graph, parentJobId } = context;
    const running = [...graph.marks].flatMap((mark, n) => (hasJob(mark as Mark) ? [n] : []));
    const skipped = skipOpen(context, event);
    const stopped = new Map(running.map((n): [number, Mark] => [n, 'x']));
    return {
      context: { ...skipped.context, graph: withMarks(skipped.context.graph ?? graph, stopped) },
      effects: [
        ...skipped.effects,
        ...running.flatMap((n): Effect[] => {
          const name = graph.names[n] ?? '';
          return [
            patch(context, name, { reason: `cancelled: ${PARENT_ENDED}` }),
            {
              type: 'subRun.stop',
              params: { parentJobId, name, attempt: graph.attempts[n] ?? 1, reason: PARENT_ENDED },
            },
          ];
        }),
      ],
    };
  },
  skipOpen,
} satisfies Record<string, SubRunsChange>;
