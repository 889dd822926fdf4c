import { useJob } from '../jobs/jobView.ts';
import { CampaignPage } from './CampaignPage.tsx';

/** The tab of the job's page with its sub-runs. */
export function CampaignTab() {
  const { job } = useJob();
  return <CampaignPage jobId={job().id} />;
}
