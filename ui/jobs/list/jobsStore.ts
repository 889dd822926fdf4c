import { createStore } from '@xstate/store';
import type { JobSummary } from '../../../src/schema/job.ts';

interface Jobs {
  /** Newest first. A job that did not change is the same object as before. */
  jobs: JobSummary[];
  /** How many the runner has; more than are listed where there are very many. */
  total: number;
  /** False until the first list has come. */
  loaded: boolean;
  /** What kept the list from being read; null = nothing. */
  problem: unknown;
}

const newestFirst = (a: JobSummary, b: JobSummary): number =>
  b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id);

/**
 * Merges what came in into what is known; an equal job stays the same object, so that it is not
 * redrawn.
 */
export function merged(known: readonly JobSummary[], came: readonly JobSummary[]): JobSummary[] {
  const byId = new Map(known.map((job) => [job.id, job]));
  for (const job of came) {
    const old = byId.get(job.id);
    if (
      old === undefined ||
      (old.updatedAt <= job.updatedAt && JSON.stringify(old) !== JSON.stringify(job))
    )
      byId.set(job.id, job);
  }
  return [...byId.values()].sort(newestFirst);
}

/** All jobs that the dashboard knows of. Requests are made elsewhere; they end as events here. */
export const createJobsStore = () =>
  createStore({
    context: { jobs: [], total: 0, loaded: false, problem: null } as Jobs,
    on: {
      /**
       * A list that was read. No job ever goes, and one that is not in it may have been made while
       * it was on its way.
       */
      listed: (context, event: { jobs: JobSummary[]; total: number }) => {
        const jobs = merged(context.jobs, event.jobs);
        return { jobs, total: Math.max(event.total, jobs.length), loaded: true, problem: null };
      },
      changed: (context, event: { jobs: JobSummary[] }) => {
        const jobs = merged(context.jobs, event.jobs);
        return { ...context, jobs, total: context.total + jobs.length - context.jobs.length };
      },
      unreadable: (context, event: { problem: unknown }) => ({
        ...context,
        problem: event.problem,
      }),
    },
  });

export type JobsStore = ReturnType<typeof createJobsStore>;
