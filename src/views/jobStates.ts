import { type JobContext, jobChart } from '../../machines/index.ts';
import type { ActorState } from '../durable/chart.ts';
import type { Kernel } from '../durable/contract.ts';
import type { ActorRow, DurableStore } from '../durable/writer.ts';
import type { JobListReader, ListedJob } from '../durable/sqlite/jobListReader.ts';
import { SvcError } from '../lib/errors.ts';

/** Finds jobs by their id. Both functions throw SvcError `not-found`. */
export interface JobStates {
  /** The committed state; an id of an actor that is no job is not found. */
  stateOf(jobId: string): ActorState<JobContext>;
  /** The stored columns; the snapshot is not read. */
  rowOf(jobId: string): ActorRow;
}

/** The error for an id that no job has. */
export const noSuchJob = (jobId: string, extras: { cause?: unknown } = {}): SvcError =>
  new SvcError('not-found', `Job ${jobId} does not exist. svc jobs lists those that do.`, extras);

export const jobStates = (
  kernel: Pick<Kernel, 'state'>,
  store: Pick<DurableStore, 'actor'>,
): JobStates => ({
  stateOf(jobId) {
    const state = kernel.state(jobId);
    if (state?.chart !== jobChart.id) throw noSuchJob(jobId);
    return state as ActorState<JobContext>;
  },
  rowOf(jobId) {
    const row = store.actor(jobId);
    if (!row) throw noSuchJob(jobId);
    return row;
  },
});

/** The row of a job in the list. Throws SvcError `not-found`. */
export const listedJobs =
  (list: Pick<JobListReader, 'one'>) =>
  (jobId: string): ListedJob => {
    const listed = list.one(jobId);
    if (!listed) throw noSuchJob(jobId);
    return listed;
  };
