import { useJob } from '../jobs/page/jobView.ts';
import { useStore } from '../shell/useStore.ts';
import { JobChart } from './JobChart.tsx';

/** The tab of the job's page with its charts. */
export function ChartTab() {
  const { job, store } = useJob();
  const journalled = useStore(store, (context) => context.journal.length);
  /** The newest rating, where it flags the phase that the job is in. */
  const flagged = () => {
    const newest = job().decisionRecords.findLast(({ rating }) => rating !== null);
    return newest && newest.flag !== null && newest.visit === job().visit
      ? { phase: newest.phase, why: newest.flag }
      : undefined;
  };
  return (
    <JobChart
      jobId={job().id}
      stamp={`${journalled()} ${job().updatedAt}`}
      state={job().state}
      prs={job().prMappings}
      circle={job().parked?.circle}
      flagged={flagged()}
    />
  );
}
