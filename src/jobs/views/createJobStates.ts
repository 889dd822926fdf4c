import { type JobContext, jobChart } from '../../../machines/index.ts';
import type { ActorState } from '../../kernel/chart.ts';
import type { Kernel, KernelErrorCode } from '../../kernel/contract.ts';
import type { ActorRow, DurableStore } from '../../kernel/writer.ts';
import type { JobListReader } from '../store/queries/jobListReader.ts';
import type { ListedJob } from '../store/queries/toListedJob.ts';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';

/** Finds jobs by their id. All functions throw SvcError `not-found`. */
export interface JobStates {
  /**
   * The committed state; actors that are not jobs are not found. Throws SvcError `broken-row` for
   * an unreadable job.
   */
  readState(jobId: string): ActorState<JobContext>;
  /** The stored columns, without reading the snapshot. */
  readRow(jobId: string): ActorRow;
  /** Throws if no job has the id; an unreadable job passes. */
  assertJob(jobId: string): void;
}

function loadActorState(kernel: Pick<Kernel, 'state'>, jobId: string) {
  try {
    return kernel.state(jobId);
  } catch (error) {
    throw isUnreadable(error)
      ? createUnreadableJobError(jobId, toErrorMessage(error), error)
      : error;
  }
}

const createUnreadableJobError = (jobId: string, why: string, cause?: unknown): SvcError =>
  new SvcError(
    'broken-row',
    `Job ${jobId} cannot be read: ${why}. Stop the runner and run svc doctor --fix.`,
    { cause, data: { table: 'actors', id: jobId } },
  );

// By name, since views take only types from the kernel.
const UNREADABLE: ReadonlySet<unknown> = new Set<KernelErrorCode>([
  'snapshot-unreadable',
  'unknown-chart',
]);
const isUnreadable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && UNREADABLE.has(error.code);

export const createNoSuchJobError = (jobId: string, extras: { cause?: unknown } = {}): SvcError =>
  new SvcError('not-found', `Job ${jobId} does not exist. svc jobs lists all jobs.`, extras);

export const createJobStates = (
  kernel: Pick<Kernel, 'state'>,
  store: Pick<DurableStore, 'actor'>,
  list: Pick<JobListReader, 'findJob'>,
): JobStates => ({
  readState(jobId) {
    const state = loadActorState(kernel, jobId);
    if (state?.chart === jobChart.id) return state as ActorState<JobContext>;
    throw list.findJob(jobId)
      ? createUnreadableJobError(
          jobId,
          state ? `its chart is ${state.chart}` : 'the row of its state is missing',
        )
      : createNoSuchJobError(jobId);
  },
  readRow(jobId) {
    const row = store.actor(jobId);
    if (!row) throw createNoSuchJobError(jobId);
    return row;
  },
  assertJob(jobId) {
    if (store.actor(jobId)?.chart !== jobChart.id && !list.findJob(jobId))
      throw createNoSuchJobError(jobId);
  },
});

/** Throws SvcError `not-found`. */
export const createListedJobReader =
  (list: Pick<JobListReader, 'findJob'>) =>
  (jobId: string): ListedJob => {
    const listedJob = list.findJob(jobId);
    if (!listedJob) throw createNoSuchJobError(jobId);
    return listedJob;
  };
