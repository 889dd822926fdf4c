import { endedPrsText } from '../../src/domain/endingText.ts';
import type { JobSummary } from '../../src/schema/job.ts';

/**
 * A job's status in one cell: with what it is parked for, what of a complete campaign did not
 * succeed, and which of the pull requests of a job that is over are open or were not merged.
 */
export function statusText({
  status,
  parked,
  subRunFailures,
  ending,
  broken,
}: Pick<JobSummary, 'status' | 'parked' | 'subRunFailures' | 'ending' | 'broken'>): string {
  if (broken !== undefined) return `${status} (cannot be read)`;
  if (ending !== undefined) {
    const prs = endedPrsText(ending, false);
    return [subRunFailures?.text ?? status, ...(prs === null ? [] : [prs])].join(', ');
  }
  if (subRunFailures !== undefined) return subRunFailures.text;
  if (parked === null) return status;
  return `${status} (${parked.kind === 'subRuns' ? 'sub-runs' : parked.kind})`;
}
