import type { Job } from '../../src/contract/schema/job/job.ts';
import type { Dashboard } from '../shell/dashboard.ts';

export interface AskProps {
  job: Job;
  /** True where the job takes such an event now. */
  can: (event: string) => boolean;
  command: Dashboard['run'];
}
