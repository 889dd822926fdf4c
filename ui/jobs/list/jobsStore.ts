import { createStore } from '@xstate/store';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';
import type { JobCounts } from '../../../src/contract/schema/api/replies.ts';

/** Most jobs that are remembered after they were shown or changed. */
export const MAX_KNOWN = 2_000;

interface Jobs {
  /** How many jobs the runner has, and how many need a person; null until it was read. */
  counts: JobCounts | null;
  changed: readonly JobSummary[];
  known: ReadonlyMap<string, JobSummary>;
  /** Rises whenever changes may have been missed: what is shown must be read again. */
  opened: number;
  /** What kept the list from being read; null = nothing. */
  problem: unknown;
}

/** The newer summary; an equal one stays the same object, so that it is not redrawn. */
export const pickNewerSummary = (old: JobSummary | undefined, update: JobSummary): JobSummary =>
  old === undefined ||
  (old.updatedAt <= update.updatedAt && JSON.stringify(old) !== JSON.stringify(update))
    ? update
    : old;

const mergeKnownJobs = (
  knownJobs: ReadonlyMap<string, JobSummary>,
  updates: readonly JobSummary[],
): ReadonlyMap<string, JobSummary> => {
  const all = new Map(knownJobs);
  for (const job of updates) {
    const now = pickNewerSummary(all.get(job.id), job);
    all.delete(job.id);
    all.set(job.id, now);
  }
  for (const id of all.keys()) {
    if (all.size <= MAX_KNOWN) break;
    all.delete(id);
  }
  return all;
};

/**
 * What every page knows of all jobs: counts, and what changes. Pages of
 * the list are read by those who show them. Requests are made elsewhere; they end as events here.
 */
export const createJobsStore = () =>
  createStore({
    context: {
      counts: null,
      changed: [],
      known: new Map(),
      opened: 0,
      problem: null,
    } as Jobs,
    on: {
      /** The connection to the runner was opened, perhaps again. */
      opened: (context) => ({ ...context, opened: context.opened + 1 }),
      counted: (context, event: { counts: JobCounts }) => ({
        ...context,
        counts: event.counts,
        problem: null,
      }),
      /** Jobs were read for a page. */
      shown: (context, event: { jobs: readonly JobSummary[] }) => ({
        ...context,
        known: mergeKnownJobs(context.known, event.jobs),
      }),
      changed: (context, event: { jobs: readonly JobSummary[] }) => {
        const knownJobs = mergeKnownJobs(context.known, event.jobs);
        const changedJobs = [...new Set(event.jobs.map(({ id }) => id))].flatMap(
          (id) => knownJobs.get(id) ?? [],
        );
        return { ...context, known: knownJobs, changed: changedJobs };
      },
      unreadable: (context, event: { problem: unknown }) => ({
        ...context,
        problem: event.problem,
      }),
    },
  });

export type JobsStore = ReturnType<typeof createJobsStore>;
