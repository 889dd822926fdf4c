import { type Accessor, createEffect, createSignal, on, onCleanup } from 'solid-js';
import type { Client } from '../../../src/api/client/client.ts';
import type { JobCountsQuery } from '../../../src/contract/schema/api/queries.ts';
import type { JobCounts } from '../../../src/contract/schema/api/replies.ts';
import { useStore } from '../../shell/useStore.ts';
import { throttleCalls } from './throttleCalls.ts';
import type { JobsStore } from './jobsStore.ts';
import { runOnChange } from '../../shell/signals/runOnChange.ts';

/** Shortest time between two counts, ms, while jobs change. */
const RECOUNT_MS = 1_000;

/**
 * How many jobs match, kept up to date; null until the first answer. `recountMs`: shortest time
 * between two counts, while jobs change.
 */
export function createJobCounts(
  { client, jobs }: { client: Pick<Client, 'jobCounts'>; jobs: JobsStore },
  query: Accessor<JobCountsQuery>,
  recountMs = RECOUNT_MS,
): Accessor<JobCounts | null> {
  const [counts, setCounts] = createSignal<JobCounts | null>(null);
  const changedJobs = useStore(jobs, (context) => context.changed);
  const openedCount = useStore(jobs, (context) => context.opened);
  const stop = new AbortController();
  onCleanup(() => stop.abort());
  let round = 0;
  const read = async () => {
    round += 1;
    const mine = round;
    try {
      const reply = await client.jobCounts(query());
      if (mine === round && !stop.signal.aborted) setCounts(reply);
    } catch {
      // The list, which is read beside it, shows the problem.
    }
  };
  const soon = throttleCalls(recountMs, read, stop.signal);
  runOnChange(
    () => JSON.stringify(query()),
    () => void read(),
  );
  createEffect(
    on(
      () => [changedJobs(), openedCount()],
      () => soon(),
      { defer: true },
    ),
  );
  return counts;
}
