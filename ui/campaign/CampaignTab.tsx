import { pickJobTone } from '../jobs/jobText.ts';
import { describeJobState } from '../jobs/plainText.ts';
import { useJob } from '../jobs/page/jobView.ts';
import { CampaignPage } from './CampaignPage.tsx';

export function CampaignTab() {
  const { job } = useJob();
  return (
    <CampaignPage
      jobId={job().id}
      cost={job().parentJobId === null ? job().cost : undefined}
      ended={job().ended ? { tone: pickJobTone(job()), status: describeJobState(job()) } : null}
    />
  );
}
