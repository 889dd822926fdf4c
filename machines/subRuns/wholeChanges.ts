import { countsOf, EMPTY_GRAPH, isBroken, type Mark, markAt, statusOf, withMarks } from './graph.ts';
import { by, type Effect, line, patch, type SubRunsChange, send, timeOf } from './outcome.ts';
import { advance } from './readySet.ts';
import { dropSubRuns, subRunRow } from './subRunRows.ts';
import type { SubRunsContext } from './subRunsContext.ts';

/** Names of failed sub-runs that the parent is told; the rest is counted. */
const MAX_NAMES_TOLD = 20;

const moved =
  (hold: boolean): SubRunsChange =>
  (context, event) => {
    const { graph, dispatched, ready, waiting, unreachable } = advance(context.graph, context, hold);
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
          params: { parentJobId: context.parentJobId, name: name(n), attempt: graph.attempts[n] ?? 1 },
        },
      ]),
    ];
    return { context: { graph }, effects };
  };

const countText = (context: SubRunsContext): string =>
  Object.entries(countsOf(context.graph))
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');

/** Changes that concern the whole campaign. */
export const wholeChanges = {
  register: by(['subRuns.register'], (context, { spec }) => {
    const { graph, parentJobId } = context;
    const known = graph.names.indexOf(spec.name);
    const n = known < 0 ? graph.names.length : known;
    const set = <T>(list: readonly T[], value: T): T[] => (known < 0 ? [...list, value] : list.with(n, value));
    const marks = known < 0 ? `${graph.marks}p` : graph.marks;
    return {
      context: {
        graph: {
          names: set(graph.names, spec.name),
          dependsOn: set(graph.dependsOn, spec.dependsOn ?? []),
          marks,
          attempts: set(graph.attempts, 1),
        },
      },
      effects: [{ type: 'row.put', params: subRunRow(parentJobId, n, spec) }],
    };
  }),
  finalize: by(['subRuns.finalize'], (context, event) => ({
    context: { cap: event.cap, policy: event.policy },
    effects: [
      line(
        context,
        event,
        `${context.graph.names.length} sub-runs are planned, at most ${event.cap} at once, ${event.policy} on a failure`,
      ),
    ],
  })),
  /** From here on only what is registered anew can halt. */
  beginRound: ({ graph }) => ({ context: { roundFrom: graph.names.length }, effects: [] }),
  clear: (context) => ({
    context: { graph: EMPTY_GRAPH, roundFrom: 0 },
    effects: [{ type: 'row.drop', params: dropSubRuns(context.parentJobId) }],
  }),
  advance: moved(false),
  advanceHeld: moved(true),
  tellHalted: (context) => {
    const broken = context.graph.names.filter((_, n) => n >= context.roundFrom && isBroken(markAt(context.graph, n)));
    return { effects: [send(context.parentJobId, { type: 'subRuns.halted', names: broken.slice(0, MAX_NAMES_TOLD) })] };
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
          failures: failures.slice(0, MAX_NAMES_TOLD),
          failed: failures.length,
        }),
      ],
    };
  },
  /** The parent is over: what runs is stopped, what has not begun never will. */
  close: (context, event) => {
    const { graph, parentJobId } = context;
    const effects: Effect[] = [];
    const changes = new Map<number, Mark>();
    const reason = 'its parent has ended';
    graph.names.forEach((name, n) => {
      const mark = markAt(graph, n);
      if (mark === 'p' || mark === 'r') {
        changes.set(n, 'u');
        effects.push(patch(context, name, { status: 'skipped', reason, completedAt: timeOf(context, event) }));
      } else if (mark === 'd') {
        changes.set(n, 'x');
        effects.push(patch(context, name, { reason: `cancelled: ${reason}` }), {
          type: 'subRun.stop',
          params: { parentJobId, name, attempt: graph.attempts[n] ?? 1, reason },
        });
      }
    });
    return { context: { graph: withMarks(graph, changes) }, effects };
  },
} satisfies Record<string, SubRunsChange>;
