import { endedWorkText } from '../../../src/base/jobs/describeEndedPrs.ts';
import { isJobUnreadable } from '../../../src/base/jobs/isJobUnreadable.ts';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';

/**
 * A job's status in one cell, or that the job cannot be read: with what it is parked for, what of a complete campaign did not
 * succeed, and which of the pull requests of a job that is over are open or were not merged.
 */
export function formatJobStatus({
  status,
  parked,
  subRunFailures,
  ending,
  broken,
}: Pick<JobSummary, 'status' | 'parked' | 'subRunFailures' | 'ending' | 'broken'>): string {
  if (isJobUnreadable(broken)) return `broken (last known: ${status})`;
  if (ending !== undefined) {
    const prs = endedWorkText(ending, false);
    return [subRunFailures?.text ?? status, ...(prs === null ? [] : [prs])].join(', ');
  }
  if (subRunFailures !== undefined) return subRunFailures.text;
  if (parked === null) return status;
  return `${status} (${parked.kind === 'subRuns' ? 'sub-runs' : parked.kind})`;
}
