import type { FailingTests } from '../progress.ts';
import type { JobContext } from '../jobContext.ts';

/** What the chart knows of a finished phase that is to be rated. */
export interface RatingFacts {
  /** When its session ended, epoch ms. */
  at: number;
  sessions: number;
  items: { id: string; title: string; status: string; loopCount: number }[];
  prs: { prId: string; state: string }[];
  gateBlocks: number;
  /** The highest number of visits that ended the same way. */
  laps: number;
  /** Tools by which the agent requested the next step. */
  asked: string[];
  failing: Pick<FailingTests, 'count' | 'first'> | null;
}

const ASKS = {
  await: 'await_event',
  switch: 'switch_workflow',
  goto: 'goto_phase',
  newSession: 'request_new_session',
  escalate: 'escalate',
} as const;

export function collectRatingFacts(context: JobContext, at: number): RatingFacts {
  const { session, workItems, prs, gateBlocks, progress, signals } = context;
  const counts = progress?.marks.map(({ count }) => count - 1) ?? [];
  const failing = progress?.failing;
  return {
    at,
    sessions: session,
    items: workItems.map(({ id, title, status, loopCount }) => ({ id, title, status, loopCount })),
    prs: prs.map(({ prId, state }) => ({ prId, state })),
    gateBlocks,
    laps: Math.max(0, ...counts),
    asked: Object.entries(ASKS).flatMap(([signal, tool]) =>
      signals[signal as keyof typeof ASKS] === null ? [] : [tool],
    ),
    failing: failing ? { count: failing.count, first: failing.first } : null,
  };
}
