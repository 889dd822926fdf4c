import { createContext, useContext } from 'solid-js';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import type { Dashboard } from '../../shell/dashboard.ts';
import type { JobStore } from './jobStore.ts';

export interface JobView {
  store: JobStore;
  job: () => Job;
  /** False while the runner does not answer: what is shown is what was last known. */
  reachable: () => boolean;
  /** True where the job would take such an event now, or might, depending on what is in it. */
  can: (event: string) => boolean;
  /** Sends a command, reports the outcome, and looks at the job again. True when it was taken. */
  command: Dashboard['run'];
}

const JobContext = createContext<JobView>();
export const JobProvider = JobContext.Provider;

export function useJob(): JobView {
  const view = useContext(JobContext);
  if (!view) throw new Error('This component is used outside of the page of a job.');
  return view;
}
