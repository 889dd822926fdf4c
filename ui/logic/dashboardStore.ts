import { createStore } from '@xstate/store';
import type { LogFrame } from '../../src/schema/frames.ts';
import type { Job, JobSummary } from '../../src/schema/job.ts';
import type { WhyReply } from '../../src/schema/replies.ts';

/** A line of the log as it is shown. */
export interface LogLine extends LogFrame {
  n: number;
}

/** Most lines of the log that the page keeps; older ones are on the command line (`svc logs`). */
export const MAX_LOG_LINES = 2_000;

interface Dashboard {
  jobs: JobSummary[];
  total: number;
  /** False until the first list has come. */
  loaded: boolean;
  /** The opened job; null = the list is shown. */
  jobId: string | null;
  job: Job | null;
  why: WhyReply | null;
  /** Text of what waits for approval; null = nothing, or it has no text. */
  shown: string | null;
  log: LogLine[];
  /** What went wrong last; null once something works again. */
  problem: string | null;
  /** What a command brought about, for the live region. */
  notice: string | null;
}

const closed = { job: null, why: null, shown: null, log: [], notice: null };

/** What the page shows. Requests are made elsewhere; they end as events here. */
export const createDashboardStore = () =>
  createStore({
    context: { jobs: [], total: 0, loaded: false, jobId: null, problem: null, ...closed } as Dashboard,
    on: {
      listed: (context, event: { jobs: JobSummary[]; total: number }) => ({
        ...context,
        jobs: event.jobs,
        total: event.total,
        loaded: true,
        problem: null,
      }),
      opened: (context, event: { jobId: string | null }) => ({ ...context, ...closed, jobId: event.jobId, problem: null }),
      // A reply that comes after the person has gone on belongs to another page.
      looked: (context, event: { job: Job; why: WhyReply; shown: string | null }) =>
        event.job.id === context.jobId
          ? { ...context, job: event.job, why: event.why, shown: event.shown, problem: null }
          : context,
      logged: (context, event: { jobId: string; lines: LogLine[] }) =>
        event.jobId === context.jobId ? { ...context, log: [...context.log, ...event.lines].slice(-MAX_LOG_LINES) } : context,
      done: (context, event: { notice: string }) => ({ ...context, notice: event.notice, problem: null }),
      failed: (context, event: { problem: string }) => ({ ...context, problem: event.problem }),
    },
  });

export type DashboardStore = ReturnType<typeof createDashboardStore>;
