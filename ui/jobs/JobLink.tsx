import { createEffect } from 'solid-js';
import { useDashboard } from '../shell/dashboard.ts';
import { toJobHash } from '../shell/navigation/router.ts';
import { useStore } from '../shell/useStore.ts';
import { formatJobTitle } from './jobText.ts';
import { readNamedJob } from './readNamedJobs.ts';

/** A link to a job by its title; by its id until the job was read, or where the runner has lost it. */
export function JobLink(props: { jobId: string }) {
  const { client, jobs, team } = useDashboard();
  const knownJobs = useStore(jobs, (context) => context.known);
  const summary = () => knownJobs().get(props.jobId);
  createEffect(() => {
    // The list of a team cannot be asked for single jobs.
    if (team === null && summary() === undefined) readNamedJob(client, jobs, props.jobId);
  });
  const title = () => {
    const job = summary();
    return job === undefined ? props.jobId : formatJobTitle(job);
  };
  return (
    <a href={toJobHash(props.jobId)} title={props.jobId}>
      <bdi>{title()}</bdi>
    </a>
  );
}
