import type { ChartArrow, ChartNode } from '../../../src/contract/schema/workflow/machine.ts';
import type {
  TakenTransition,
  TransitionCause,
} from '../../../src/contract/schema/workflow/workflowRuns.ts';
import { EXITS } from './addWorkflowExits.ts';

/** How often an arrow was taken, and how often by runs that failed. */
export interface ArrowCount {
  times: number;
  failed: number;
}

export interface TransitionCounts {
  /** By the id of the arrow; each arrow of the chart has one. */
  arrows: ReadonlyMap<string, ArrowCount>;
  /** How many runs failed or escalated in a phase, by its path. */
  failedIn: ReadonlyMap<string, number>;
  /** What no arrow of the chart is drawn for. */
  others: readonly TakenTransition[];
}

/** Why an arrow of a workflow's chart is taken. */
function findArrowCause({ event, guard }: Pick<ChartArrow, 'event' | 'guard'>): TransitionCause {
  const names = guard?.name.split(' and ') ?? [];
  if (names.includes('gateBlocks')) return 'blocked';
  switch (event) {
    case 'job.resume':
      return names.includes('rejected') ? 'rejected' : 'approved';
    case 'job.message':
      return 'message';
    case 'forge.event':
      return names.includes('merged') ? 'merged' : 'news';
    case 'subRuns.settled':
      return 'sub-runs';
    case 'tool.goto_phase':
      return 'goto';
    default:
      return 'finished';
  }
}

const ENDS: ReadonlySet<string> = new Set([EXITS.failed, EXITS.escalated]);
const WITHOUT_CAUSE: ReadonlySet<string> = new Set(Object.values(EXITS));

const toKey = (from: string, to: string, cause: string): string =>
  JSON.stringify([from, to, WITHOUT_CAUSE.has(to) ? '' : cause]);

/** Finds the arrow of a workflow's chart for each transition that its runs took. */
export function matchTransitions(
  { states }: Pick<ChartNode, 'states'>,
  transitions: readonly TakenTransition[],
): TransitionCounts {
  const counts = new Map<string, ArrowCount>();
  for (const { from, to, cause, times, failed } of transitions) {
    const key = toKey(from, to, cause);
    const count = counts.get(key) ?? { times: 0, failed: 0 };
    counts.set(key, { times: count.times + times, failed: count.failed + failed });
  }
  const arrows = new Map<string, ArrowCount>();
  const drawnKeys = new Set<string>();
  for (const { path, arrows: leaving } of states)
    for (const arrow of leaving) {
      const key = toKey(path, arrow.targets[0] ?? path, findArrowCause(arrow));
      // Where two arrows mean the same, the first is taken.
      arrows.set(
        arrow.id,
        (drawnKeys.has(key) ? undefined : counts.get(key)) ?? { times: 0, failed: 0 },
      );
      drawnKeys.add(key);
    }
  const failedIn = new Map<string, number>();
  for (const { from, to, times } of transitions)
    if (ENDS.has(to)) failedIn.set(from, (failedIn.get(from) ?? 0) + times);
  const others = transitions.filter(
    ({ from, to, cause }) => !drawnKeys.has(toKey(from, to, cause)) && !ENDS.has(to),
  );
  return { arrows, failedIn, others };
}

/** `42×`, and `3 failed` where some were taken by runs that failed. */
export const formatArrowCount = ({ times, failed }: ArrowCount): [string, string | null] => [
  `${times}×`,
  failed > 0 ? `${failed} failed` : null,
];

/** The same as a clause, for names that are read aloud. */
export function describeArrowCount({ times, failed }: ArrowCount): string {
  if (times === 0) return 'never taken in these runs';
  const often = times === 1 ? 'taken once' : `taken ${times} times`;
  return failed === 0 ? often : `${often}, ${failed} of them in runs that failed`;
}
