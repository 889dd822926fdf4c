import { createMemo, createSignal } from 'solid-js';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';
import { MAX_SELECTED } from './bulkActions.ts';

/** The jobs that a person has selected, as they are now; at most MAX_SELECTED. */
export function createSelection(knownJobs: () => ReadonlyMap<string, JobSummary>) {
  const [selectedJobs, setSelectedJobs] = createSignal<ReadonlyMap<string, JobSummary>>(new Map());
  const jobs = createMemo(() => [...selectedJobs()].map(([id, job]) => knownJobs().get(id) ?? job));
  return {
    jobs,
    has: (id: string) => selectedJobs().has(id),
    clear: () => setSelectedJobs(new Map()),
    set(changedJobs: readonly JobSummary[], selected: boolean) {
      const next = new Map(selectedJobs());
      for (const job of changedJobs) {
        if (!selected) next.delete(job.id);
        else if (next.size < MAX_SELECTED) next.set(job.id, job);
      }
      setSelectedJobs(next);
    },
  };
}

export type Selection = ReturnType<typeof createSelection>;
