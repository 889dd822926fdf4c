import type { Client } from '../src/api/client/client.ts';
import type { Campaign } from '../src/contract/schema/job/campaign.ts';
import type { Job } from '../src/contract/schema/job/job.ts';

export interface EndedCampaign {
  job: Job;
  campaign: Campaign;
  children: readonly Job[];
}

export const formatCampaignTable = ({ job, campaign, children }: EndedCampaign): string => {
  const prOf = (id: string | null) =>
    children.find((child) => child.id === id)?.prMappings[0]?.prId ?? '-';
  const rows = campaign.subRuns.map(({ name, dependsOn, status, attempt, jobId, reason }) =>
    [
      name.padEnd(9),
      (dependsOn.join(', ') || '-').padEnd(16),
      status.padEnd(10),
      `${attempt}`.padEnd(9),
      prOf(jobId).padEnd(16),
      reason ?? '',
    ].join(' '),
  );
  return `  on a failure   ${campaign.failurePolicy}
  phases         ${job.phases.map(({ phase }) => phase).join(' → ')}
  critical path  ${campaign.criticalPath.join(' → ')}

  sub-run   after            status     attempts  pull request
${rows.map((row) => `  ${row.trimEnd()}`).join('\n')}`;
};

export const formatCampaignInsights = ({
  job,
}: EndedCampaign): string => `  insights of the sub-runs, as the parent got them
${job.aggregatedSiblingInsights.map(({ category, text: said }) => `  - [${category}] ${said}`).join('\n')}`;

export const quoteParentReport = async (
  client: Client,
  { job }: EndedCampaign,
): Promise<string> => {
  const report = job.artefacts.filter(({ kind }) => kind === 'report-md').at(-1);
  const text = report ? await client.artefact(job.id, report.id) : '';
  return text.trim().replace(/^/gm, '  | ').replace(/ +$/gm, '');
};

export const summarizeCampaign = ({ job, campaign, children }: EndedCampaign) => {
  const prs = children.flatMap(({ prMappings }) => prMappings);
  return {
    policy: campaign.failurePolicy,
    status: job.status,
    phases: job.phases.map(({ phase }) => phase),
    subRuns: Object.fromEntries(campaign.subRuns.map(({ name, status }) => [name, status])),
    attempts: campaign.subRuns.reduce((sum, { attempt }) => sum + attempt, 0),
    prs: prs.length,
    merges: prs.filter(({ state }) => state === 'merged').length,
    insights: job.aggregatedSiblingInsights.length,
    contractDrift: campaign.contractDrift.length,
  };
};
