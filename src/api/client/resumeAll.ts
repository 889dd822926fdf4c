import type { JobSummary } from '../../contract/schema/job/job.ts';
import type { Client } from './client.ts';
import { ClientError } from './problem.ts';

/**
 * What many jobs can be parked for at once; `until` and `stop-all` are causes of `paused`. An
 * approval is a decision on one job, so it is not among them.
 */
export const BULK_RESTS = [
  'developer',
  'flagged',
  'quota',
  'budget',
  'outage',
  'paused',
  'until',
  'stop-all',
  'failed',
] as const;
export type BulkRest = (typeof BULK_RESTS)[number];

/** Never an approval: a job that has reached a checkpoint meanwhile refuses this key. */
const EVENT_KEY = 'resume-all';
const PAGE = 500;

/** The outcome for one job; `problem` is null where it continues. */
export interface ResumeOutcome {
  jobId: string;
  problem: string | null;
}

const isInBulkRest = (job: JobSummary, rest: BulkRest): boolean =>
  rest === 'failed'
    ? job.status === 'failed'
    : !job.ended && (job.parked?.kind === rest || job.parked?.cause === rest);

/** The jobs parked for that reason, oldest first. */
export async function listJobsAtRest(
  client: Pick<Client, 'jobs'>,
  rest: BulkRest,
): Promise<JobSummary[]> {
  const readJobs: JobSummary[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const { jobs, total } = await client.jobs({
      limit: PAGE,
      offset,
      ...(rest === 'failed' ? { status: rest } : { is: 'waiting,needs-you' }),
    });
    readJobs.push(...jobs.filter((job) => isInBulkRest(job, rest)));
    if (offset + PAGE >= total) return readJobs.reverse();
  }
}

/**
 * Resumes the jobs in sequence. A job that has changed state meanwhile is reported with the reason
 * and does not stop the others.
 */
export async function resumeAll(
  client: Pick<Client, 'resume'>,
  jobs: readonly JobSummary[],
): Promise<ResumeOutcome[]> {
  const results: ResumeOutcome[] = [];
  for (const { id } of jobs) {
    const problem = await client.resume(id, { eventKey: EVENT_KEY }).then(
      () => null,
      (error: unknown) => {
        if (error instanceof ClientError && error.status === 409) return error.message;
        throw error;
      },
    );
    results.push({ jobId: id, problem });
  }
  return results;
}
