import { jobChart, subRunsChart, type SubRunsContext } from '../../../machines/index.ts';
import type { CommitNotice } from '../../kernel/contract.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { JobSummary } from '../../contract/schema/job/job.ts';

type Watcher = (jobs: readonly JobSummary[]) => void;

interface JobWatchDeps {
  summary(jobId: string): JobSummary;
  rows: Pick<RowReader, 'all'>;
}

/**
 * Notifies watchers of the list which jobs a commit has changed, with their current state. Costs
 * nothing without watchers.
 */
export class JobWatch {
  readonly #watchers = new Set<Watcher>();
  readonly #deps: JobWatchDeps;

  constructor(deps: JobWatchDeps) {
    this.#deps = deps;
  }

  /** Lasts until the returned function is called. A watcher must not throw. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  onCommit({ steps }: CommitNotice): void {
    if (this.#watchers.size === 0) return;
    const changedJobs = new Set<string>();
    for (const { id, after } of steps) {
      if (after.chart === jobChart.id) changedJobs.add(id);
      // Whether the failure of a sub-run needs a person depends on its campaign.
      if (after.chart === subRunsChart.id)
        for (const job of this.#listFailed(after.context)) changedJobs.add(job);
    }
    this.notifyChanged([...changedJobs]);
  }

  notifyChanged(ids: readonly string[]): void {
    if (this.#watchers.size === 0 || ids.length === 0) return;
    const jobs = ids.map((id) => this.#deps.summary(id));
    for (const watcher of this.#watchers) watcher(jobs);
  }

  /** The jobs among these actors, as lists show them now. */
  readJobs(actors: readonly { id: string; chart: string }[]): JobSummary[] {
    return actors
      .filter(({ chart }) => chart === jobChart.id)
      .map(({ id }) => this.#deps.summary(id));
  }

  #listFailed(context: unknown): string[] {
    const { parentJobId } = context as SubRunsContext;
    return (['failed', 'escalated', 'skipped'] as const)
      .flatMap((status) => this.#deps.rows.all('sub_runs', { parent: parentJobId, status }))
      .flatMap(({ job_id: id }) => (id === null ? [] : [id]));
  }
}
