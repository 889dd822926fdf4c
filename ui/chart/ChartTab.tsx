import { useJob } from '../jobs/page/jobView.ts';
import { useStore } from '../shell/useStore.ts';
import { listFlaggedPhases, findVisitFlag } from './flaggedPhases.ts';
import { JobChart } from './JobChart.tsx';

export function ChartTab() {
  const { job, store } = useJob();
  const journalLength = useStore(store, (context) => context.journal.length);
  const timeline = useStore(store, (context) => context.timeline);
  return (
    <JobChart
      jobId={job().id}
      stamp={`${journalLength()} ${job().updatedAt}`}
      state={job().state}
      prs={job().prMappings}
      loop={job().parked?.circle}
      flagged={findVisitFlag(job().decisionRecords, job().visit)}
      flaggedPhases={listFlaggedPhases(job().decisionRecords)}
      visits={timeline()?.visits ?? []}
    />
  );
}
