import { createMemo, createSignal } from 'solid-js';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';
import { MAX_SELECTED } from './bulkActions.ts';

/** The jobs that a person has selected, as they are now; at most MAX_SELECTED. */
export function createSelection(knownJobs: () => ReadonlyMap<string, JobSummary>) {
  const [chosen, setChosen] = createSignal<ReadonlyMap<string, JobSummary>>(new Map());
  const jobs = createMemo(() => [...chosen()].map(([id, job]) => knownJobs().get(id) ?? job));
  return {
    jobs,
    has: (id: string) => chosen().has(id),
    clear: () => setChosen(new Map()),
    set(changedJobs: readonly JobSummary[], selected: boolean) {
      const next = new Map(chosen());
      for (const job of changedJobs) {
        if (!selected) next.delete(job.id);
        else if (next.size < MAX_SELECTED) next.set(job.id, job);
      }
      setChosen(next);
    },
  };
}

export type Selection = ReturnType<typeof createSelection>;
