import type { ListedJob } from '../../store/queries/toListedJob.ts';
import type { JobSummary } from '../../../contract/schema/job/job.ts';
import { toJobSummary } from './jobSummary.ts';
import type { LastOutputs } from '../history/lastOutputs.ts';

/**
 * A job as lists show it, with the last line of its agent while it works. `shut` as in {@link
 * summaryOf}.
 */
export const toLiveSummary = (
  listed: ListedJob,
  { shut, lastLine }: { shut: string | null; lastLine: LastOutputs['lastLine'] },
): JobSummary => {
  const summary = toJobSummary(listed, shut);
  const line = listed.state === 'working' ? lastLine(listed.id) : null;
  return line === null ? summary : { ...summary, lastLine: line };
};
