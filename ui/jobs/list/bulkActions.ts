import { formatCount } from '../../../src/base/text/formatCount.ts';
import type { Client } from '../../../src/api/client/client.ts';
import type { JobSummary, ParkKind } from '../../../src/contract/schema/job/job.ts';

/** Requests of one bulk command that are on their way together. */
const PARALLEL = 4;
export const MAX_SELECTED = 500;

export type BulkAction = 'resume' | 'rerun' | 'cancel' | 'dismiss' | 'undismiss';

/**
 * Kinds of parking that a resume ends; approvals are given on the page that shows what is approved.
 */
const RESUMED: ReadonlySet<ParkKind> = new Set<ParkKind>([
  'paused',
  'developer',
  'external',
  'event',
  'quota',
  'budget',
  'outage',
  'flagged',
]);

/** Whether the command may suit a job; the runner decides in the end. */
export function canRunBulkAction(action: BulkAction, job: JobSummary): boolean {
  const broken = job.status === 'failed' || job.status === 'escalated';
  switch (action) {
    case 'resume':
      return job.parked && !job.ended ? RESUMED.has(job.parked.kind) : job.status === 'failed';
    case 'rerun':
      return job.ended && job.status !== 'cancelled';
    case 'cancel':
      return !job.ended;
    case 'dismiss':
      return job.needs?.group === 'broken';
    case 'undismiss':
      return broken && job.needs === null;
  }
}

const sendBulkAction = (client: Client, action: BulkAction, job: JobSummary): Promise<unknown> => {
  switch (action) {
    case 'resume':
      return client.resume(job.id, { eventKey: 'manual-resume' });
    case 'rerun':
      return client.rerun(job.id, job.phase);
    case 'cancel':
      return client.cancel(job.id);
    case 'dismiss':
      return client.dismiss(job.id);
    case 'undismiss':
      return client.undismiss(job.id);
  }
};

export interface BulkResult {
  done: JobSummary[];
  refused: { job: JobSummary; error: unknown }[];
}

/** Sends a command to each of the jobs, a few at a time. Never rejects: each has its own result. */
export async function runBulk(
  client: Client,
  action: BulkAction,
  jobs: readonly JobSummary[],
  progress: (finishedCount: number) => void = () => {},
): Promise<BulkResult> {
  const result: BulkResult = { done: [], refused: [] };
  const queue = [...jobs];
  const work = async () => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      try {
        await sendBulkAction(client, action, job);
        result.done.push(job);
      } catch (error) {
        result.refused.push({ job, error });
      }
      progress(result.done.length + result.refused.length);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return result;
}

/** What cancelling these jobs means, a sentence for each way that they are. */
export function describeBulkCancel(jobs: readonly JobSummary[]): string[] {
  const queuedCount = jobs.filter(({ status }) => status === 'queued').length;
  const parkedCount = jobs.filter(({ parked }) => parked !== null).length;
  const working = jobs.length - queuedCount - parkedCount;
  return [
    ...(working > 0
      ? [
          formatCount(
            working,
            'is running: its agent is stopped.',
            'are running: their agents are stopped.',
          ),
        ]
      : []),
    ...(parkedCount > 0 ? [formatCount(parkedCount, 'waits.', 'wait.')] : []),
    ...(queuedCount > 0 ? [formatCount(queuedCount, 'has not started.', 'have not started.')] : []),
    'Checkouts, branches, pull requests, artefacts and logs are kept. A cancelled job cannot be resumed.',
  ];
}
