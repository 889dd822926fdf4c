import { hashApprovalContent, type JobContext } from '../../machines/index.ts';
import type { DurableEvent } from '../../src/kernel/chart.ts';

/**
 * A recorded event to which today's chart gives another answer than the one that it was recorded
 * with, by a decision.
 */
export interface Changed {
  /** Name of the history. */
  file: string;
  /** Journal row of the event. */
  seq: number;
  /** The rule that holds now. */
  decision: string;
  /** The states that it leads through now; null = it is refused. */
  today: string[] | null;
  /**
   * `same`: the rest goes as it was recorded. `another`: the life takes another way from here, and
   * the rest is not replayed.
   */
  rest: 'same' | 'another';
  /**
   * What the same sender would send today, for an event that is refused as it was recorded; the
   * replay then continues from there.
   */
  instead?(recorded: DurableEvent, context: JobContext): DurableEvent;
}

/**
 * Recordings are never changed: what a rule makes of them today stands here. At most one entry for
 * a row.
 */
export const CHANGED: readonly Changed[] = [
  {
    file: 'paused-and-resumed',
    seq: 4,
    decision: 'A message resumes a paused job (2026-11-22).',
    today: ['queued'],
    rest: 'another',
  },
  {
    file: 'demo',
    seq: 7,
    decision:
      'What is approved is one hash over plan, work items, the transition that follows and sub-runs; `shown` named the plan alone (2026-11-22).',
    today: null,
    rest: 'same',
    instead: (recorded, context) => ({ ...recorded, shown: hashApprovalContent(context) }),
  },
];

/**
 * Histories whose scene cannot be played any more, since a person in it does what is refused today.
 */
export const NOT_PLAYED: readonly string[] = ['paused-and-resumed'];
