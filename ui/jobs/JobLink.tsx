import { useDashboard } from '../shell/dashboard.ts';
import { toJobHash } from '../shell/navigation/router.ts';
import { useStore } from '../shell/useStore.ts';
import { formatJobTitle } from './jobText.ts';

/** A link to a job by its title; by its id while the list of jobs does not know it. */
export function JobLink(props: { jobId: string }) {
  const { jobs } = useDashboard();
  const summary = useStore(jobs, (context) => context.known.get(props.jobId));
  const title = () => {
    const knownSummary = summary();
    return knownSummary === undefined ? props.jobId : formatJobTitle(knownSummary);
  };
  return (
    <a href={toJobHash(props.jobId)} title={props.jobId}>
      <bdi>{title()}</bdi>
    </a>
  );
}
