import { createStore } from '@xstate/store';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import type { LogPage } from '../../../src/contract/schema/job/jobLog.ts';
import type { JournalEntry, WhyReply } from '../../../src/contract/schema/api/replies.ts';
import type { JobTimeline } from '../../../src/contract/schema/job/timeline.ts';
import {
  EMPTY_LOG,
  type LogLine,
  type LogWindow,
  appendNewLines,
  mergeLogPage,
} from '../log/logWindow.ts';

interface OpenJob {
  job: Job | null;
  why: WhyReply | null;
  /** Every row that the job's page has read, oldest first. */
  journal: JournalEntry[];
  timeline: JobTimeline | null;
  log: LogWindow;
  /** True while other tabs hold all streams of the browser: the log is paused. */
  crowded: boolean;
  /** What kept it from being read; null = nothing. */
  problem: unknown;
}

/** State of a job's page. Requests are made elsewhere; they end as events here. */
export const createJobStore = () =>
  createStore({
    context: {
      job: null,
      why: null,
      journal: [],
      timeline: null,
      log: EMPTY_LOG,
      crowded: false,
      problem: null,
    } as OpenJob,
    on: {
      looked: (
        context,
        event: {
          job: Job;
          /** Null: it cannot be read. */
          why: WhyReply | null;
          journal: JournalEntry[];
          /** Null: it cannot be read. */
          timeline: JobTimeline | null;
        },
      ) => {
        const lastSeq = context.journal.at(-1)?.seq ?? 0;
        const addedEntries = event.journal.filter(({ seq }) => seq > lastSeq);
        return {
          ...context,
          job: event.job,
          why: event.why,
          timeline: event.timeline,
          journal:
            addedEntries.length === 0 ? context.journal : [...context.journal, ...addedEntries],
          problem: null,
        };
      },
      logged: (context, event: { lines: Omit<LogLine, 'number'>[] }) => ({
        ...context,
        log: appendNewLines(context.log, event.lines),
      }),
      paged: (context, event: { page: LogPage }) => ({
        ...context,
        log: mergeLogPage(context.log, event.page),
      }),
      crowded: (context, event: { waiting: boolean }) => ({ ...context, crowded: event.waiting }),
      unreadable: (context, event: { problem: unknown }) => ({
        ...context,
        problem: event.problem,
      }),
    },
  });

export type JobStore = ReturnType<typeof createJobStore>;
