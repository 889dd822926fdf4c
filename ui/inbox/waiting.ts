import type { JobSummary } from '../../src/schema/job.ts';
import { titleOfJob, toneOf } from '../jobs/jobText.ts';
import type { Waiting } from '../shell/attention.ts';

/** What a person is asked for. */
export type Ask = 'approval' | 'input' | 'external' | 'halted' | 'failed' | 'escalated';

export const ASK_NAMES: Readonly<Record<Ask, string>> = {
  approval: 'Approval',
  input: 'Developer input',
  external: 'Outside svc',
  halted: 'Campaign halted',
  failed: 'Failed',
  escalated: 'Escalation',
};

export interface InboxItem extends Waiting {
  ask: Ask;
  job: JobSummary;
  /** ISO date since when it waits. */
  since: string;
}

const askOf = (job: JobSummary): Ask | null => {
  if (job.ended)
    return job.status === 'failed' ? 'failed' : job.status === 'escalated' ? 'escalated' : null;
  if (toneOf(job) !== 'needs-you') return null;
  if (job.parked?.kind === 'approval') return 'approval';
  if (job.parked?.kind === 'external') return 'external';
  return job.parked?.kind === 'halted' ? 'halted' : 'input';
};

/**
 * What waits for a person, the longest wait first. `dismissed` holds keys of ended jobs that the
 * person has put aside; a job that is still open cannot be put aside, since nothing moves it but a
 * person.
 */
export function waitingOf(
  jobs: readonly JobSummary[],
  dismissed: ReadonlySet<string>,
): InboxItem[] {
  const items = jobs.flatMap((job): InboxItem[] => {
    const ask = askOf(job);
    if (ask === null) return [];
    const since = job.parked?.since ?? job.updatedAt;
    const key = `${job.id} ${ask} ${since}`;
    if (job.ended && dismissed.has(key)) return [];
    return [
      {
        key,
        jobId: job.id,
        title: `${ASK_NAMES[ask]}: ${titleOfJob(job)}`,
        text: job.parked?.reason ?? '',
        ask,
        job,
        since,
      },
    ];
  });
  return items.sort((a, b) => a.since.localeCompare(b.since) || a.key.localeCompare(b.key));
}
