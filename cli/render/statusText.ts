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
  return parked === null ? status : `${status} (${parked.kind})`;
}
