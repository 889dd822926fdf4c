import { createStore } from '@xstate/store';
import type { LogFrame, StateFrame } from '../../../src/schema/frames.ts';
import type { Job } from '../../../src/schema/job.ts';
import type { JournalEntry, WhyReply } from '../../../src/schema/replies.ts';

/** A line of the log as it is shown; `n` is the number of its frame. */
export interface LogLine extends LogFrame {
  n: number;
}

/** Most lines of the log that the page keeps; older ones are on the command line (`svc logs`). */
export const MAX_LOG_LINES = 20_000;

interface OpenJob {
  job: Job | null;
  why: WhyReply | null;
  /** Every row that the job's page has read, oldest first. */
  journal: JournalEntry[];
  log: LogLine[];
  /** Lines that were dropped because there were too many. */
  dropped: number;
  /** Why it was parked, by the ISO date since when. */
  reasons: Readonly<Record<string, string>>;
  /**
   * True while other tabs hold all streams that the browser can have: then the log is paused.
   */
  crowded: boolean;
  /** What kept it from being read; null = nothing. */
  problem: unknown;
}

/**
 * Everything that the page of one job shows. Requests are made elsewhere; they end as events here.
 */
export const createJobStore = () =>
  createStore({
    context: {
      job: null,
      why: null,
      journal: [],
      log: [],
      dropped: 0,
      reasons: {},
      crowded: false,
      problem: null,
    } as OpenJob,
    on: {
      looked: (context, event: { job: Job; why: WhyReply; journal: JournalEntry[] }) => {
        const known = context.journal.at(-1)?.seq ?? 0;
        const added = event.journal.filter(({ seq }) => seq > known);
        return {
          ...context,
          job: event.job,
          why: event.why,
          journal: added.length === 0 ? context.journal : [...context.journal, ...added],
          problem: null,
        };
      },
      logged: (context, event: { lines: LogLine[] }) => {
        const all = [...context.log, ...event.lines];
        const over = Math.max(0, all.length - MAX_LOG_LINES);
        return {
          ...context,
          log: over === 0 ? all : all.slice(over),
          dropped: context.dropped + over,
        };
      },
      stated: (context, event: { frame: StateFrame }) => {
        const { parked } = event.frame;
        if (parked === null || context.reasons[parked.since] === parked.reason) return context;
        return { ...context, reasons: { ...context.reasons, [parked.since]: parked.reason } };
      },
      crowded: (context, event: { waiting: boolean }) => ({ ...context, crowded: event.waiting }),
      unreadable: (context, event: { problem: unknown }) => ({
        ...context,
        problem: event.problem,
      }),
    },
  });

export type JobStore = ReturnType<typeof createJobStore>;
