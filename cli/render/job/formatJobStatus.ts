import { endedWorkText } from '../../../src/base/jobs/describeEndedPrs.ts';
import { isJobUnreadable } from '../../../src/base/jobs/isJobUnreadable.ts';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';
import type { Ansis } from 'ansis';
import { needsPerson, deriveOutcome } from '../../deriveOutcome.ts';

/**
 * Colour of a job's status: green for success, yellow where a person is needed or a campaign did
 * not wholly succeed, red for failure, dim for cancelled and for waiting without a person, blue at
 * work.
 */
export function pickStatusColor(
  {
    status,
    ended,
    parked,
    subRunFailures,
    ending,
    broken,
  }: Pick<JobSummary, 'status' | 'ended' | 'parked' | 'subRunFailures' | 'ending' | 'broken'>,
  color: Ansis,
): (text: string) => string {
  if (isJobUnreadable(broken)) return color.red;
  if (subRunFailures !== undefined || (ending?.openPrs.length ?? 0) > 0) return color.yellow;
  const outcome = deriveOutcome({ status, ended, parked });
  if (outcome === 'complete') return color.green;
  if (needsPerson({ status, ended, parked })) return color.yellow;
  if (outcome === 'failed' || outcome === 'escalated') return color.red;
  return outcome === 'cancelled' || parked !== null ? color.dim : color.blue;
}

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
