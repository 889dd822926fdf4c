import type { Client } from '../../src/api/client/client.ts';
import { MAX_JOB_IDS } from '../../src/base/limits/jobLimits.ts';
import type { JobsStore } from './list/jobsStore.ts';

/**
 * A function that reads a job into the store, so that a link can show its title. What is asked for
 * in the same moment is one request; a job that cannot be read is not asked for again.
 */
export function createNamedJobReader(client: Pick<Client, 'jobs'>, store: JobsStore) {
  const requestedIds = new Set<string>();
  let nextIds: string[] = [];

  function readNext(): void {
    const ids = nextIds;
    nextIds = [];
    for (let from = 0; from < ids.length; from += MAX_JOB_IDS) {
      const some = ids.slice(from, from + MAX_JOB_IDS);
      client.jobs({ ids: some.join(','), limit: MAX_JOB_IDS }).then(
        ({ jobs }) => store.trigger.shown({ jobs }),
        // Their links keep the ids.
        () => undefined,
      );
    }
  }

  return (jobId: string): void => {
    if (requestedIds.has(jobId)) return;
    requestedIds.add(jobId);
    if (nextIds.length === 0) queueMicrotask(readNext);
    nextIds.push(jobId);
  };
}

const readers = new WeakMap<JobsStore, (jobId: string) => void>();

/** Reads a job that is named on the page and not known yet. */
export function readNamedJob(client: Pick<Client, 'jobs'>, store: JobsStore, jobId: string): void {
  const reader = readers.get(store) ?? createNamedJobReader(client, store);
  readers.set(store, reader);
  reader(jobId);
}
