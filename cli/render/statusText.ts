import type { JobSummary } from '../../src/schema/job.ts';

/**
 * A job's status in one cell: with what it is parked for, or with what of a complete campaign did
 * not succeed.
 */
export function statusText({
  status,
  parked,
  subRunFailures,
}: Pick<JobSummary, 'status' | 'parked' | 'subRunFailures'>): string {
  if (subRunFailures !== undefined) return subRunFailures.text;
  if (parked === null) return status;
  return `${status} (${parked.kind === 'subRuns' ? 'sub-runs' : parked.kind})`;
}
