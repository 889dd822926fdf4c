import { jobChart, type JobContext } from '../../machines/index.ts';
import type { ActorState } from '../durable/chart.ts';
import type { CommitNotice } from '../durable/contract.ts';
import type { ActorRow } from '../durable/writer.ts';
import type { JobSummary } from '../schema/job.ts';
import { summaryOf } from './jobView.ts';

type Watcher = (jobs: readonly JobSummary[]) => void;

/**
 * Notifies watchers of the list which jobs a commit has changed, as they are now. Costs nothing
 * without watchers.
 */
export class JobWatch {
  readonly #watchers = new Set<Watcher>();
  readonly #rowOf: (jobId: string) => ActorRow;

  constructor(rowOf: (jobId: string) => ActorRow) {
    this.#rowOf = rowOf;
  }

  /** Until the returned function is called. A watcher must not throw. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  onCommit({ steps }: CommitNotice): void {
    if (this.#watchers.size === 0) return;
    // Of several steps of a job within the commit only the last one is what it is now.
    const states = new Map(
      steps.filter(({ after }) => after.chart === jobChart.id).map(({ id, after }) => [id, after]),
    );
    if (states.size === 0) return;
    const jobs = [...states].map(([id, state]) =>
      summaryOf(state as ActorState<JobContext>, this.#rowOf(id)),
    );
    for (const watcher of this.#watchers) watcher(jobs);
  }
}
