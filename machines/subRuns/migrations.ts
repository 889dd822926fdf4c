import { toAcceptedMarks } from './graph.ts';
import type { SubRunsContext } from './subRunsContext.ts';

/** The context of version 1. */
interface ContextOf1 extends Omit<SubRunsContext, 'agentReruns'> {
  /** Failures of sub-runs before this position halted nothing. */
  roundFrom: number;
  /** Where this was false, a failure halted nothing: what had not begun was skipped. */
  attended: boolean;
}

/**
 * From version 1: failures that halted nothing then halt nothing now, so no campaign that has gone
 * on is halted by the upgrade. Which dispatched sub-runs had a job was not recorded.
 */
export function migrateTo2(snapshot: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { roundFrom, attended, ...context } = snapshot.context as ContextOf1;
  const { marks } = context.graph;
  const accepted = attended ? roundFrom : marks.length;
  const now = toAcceptedMarks(marks.slice(0, accepted)) + marks.slice(accepted);
  return {
    ...snapshot,
    context: {
      ...context,
      agentReruns: [],
      graph: { ...context.graph, marks: now.replaceAll('d', 'o') },
    } satisfies SubRunsContext,
  };
}
