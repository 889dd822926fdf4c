import type { ListedJob } from '../durable/sqlite/listedJob.ts';
import type { JobSummary } from '../schema/job.ts';
import { summaryOf } from './jobSummary.ts';
import type { LastOutputs } from './lastOutputs.ts';

/**
 * A job as lists show it, with what its agent wrote last while it is at work. `shut` as in
 * {@link summaryOf}.
 */
export const toLiveSummary = (
  listed: ListedJob,
  { shut, lastLine }: { shut: string | null; lastLine: LastOutputs['lastLine'] },
): JobSummary => {
  const summary = summaryOf(listed, shut);
  const line = listed.state === 'working' ? lastLine(listed.id) : null;
  return line === null ? summary : { ...summary, lastLine: line };
};
