import { useDashboard } from '../shell/dashboard.ts';
import { jobHash } from '../shell/router.ts';
import { useStore } from '../shell/useStore.ts';
import { titleOfJob } from './jobText.ts';

/** A link to a job by its title; by its id while the list of jobs does not know it. */
export function JobLink(props: { jobId: string }) {
  const { jobs } = useDashboard();
  const summary = useStore(jobs, (context) => context.known.get(props.jobId));
  const title = () => {
    const known = summary();
    return known === undefined ? props.jobId : titleOfJob(known);
  };
  return (
    <a href={jobHash(props.jobId)} title={props.jobId}>
      <bdi>{title()}</bdi>
    </a>
  );
}
