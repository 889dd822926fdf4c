import type { Client } from '../src/api/client/client.ts';
import type { Job } from '../src/contract/schema/job/job.ts';
import { decideSubRuns } from './campaignDecisions.ts';
import type { PlayedDemo, Stage } from './stage.ts';
import type { Campaign } from '../src/contract/schema/job/campaign.ts';

interface EndedCampaign {
  job: Job;
  campaign: Campaign;
  children: readonly Job[];
}

const formatCampaignTable = ({ job, campaign, children }: EndedCampaign): string => {
  const formatPullRequest = (id: string | null) =>
    children.find((child) => child.id === id)?.prMappings[0]?.prId ?? '-';
  const rows = campaign.subRuns.map(({ name, dependsOn, status, attempt, jobId, reason }) =>
    [
      name.padEnd(9),
      (dependsOn.join(', ') || '-').padEnd(16),
      status.padEnd(10),
      `${attempt}`.padEnd(9),
      formatPullRequest(jobId).padEnd(16),
      reason ?? '',
    ].join(' '),
  );
  return `  on a failure   ${campaign.failurePolicy}
  phases         ${job.phases.map(({ phase }) => phase).join(' → ')}
  critical path  ${campaign.criticalPath.join(' → ')}

  sub-run   after            status     attempts  pull request
${rows.map((row) => `  ${row.trimEnd()}`).join('\n')}`;
};

const formatCampaignInsights = ({
  job,
}: EndedCampaign): string => `  insights of the sub-runs, as the parent got them
${job.aggregatedSiblingInsights.map(({ category, text }) => `  - [${category}] ${text}`).join('\n')}`;

const quoteParentReport = async (client: Client, { job }: EndedCampaign): Promise<string> => {
  const report = job.artefacts.filter(({ kind }) => kind === 'report-md').at(-1);
  const text = report ? await client.artefact(job.id, report.id) : '';
  return text.trim().replace(/^/gm, '  | ').replace(/ +$/gm, '');
};

const summarizeCampaign = ({ job, campaign, children }: EndedCampaign) => {
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

/** Longest run of one campaign before the demo gives up. */
const LIMIT_MS = 120_000;
/**
 * A clean run of the first campaign takes four to nine seconds from the request on, one of the
 * second takes one to three; the crash falls somewhere in them.
 */
const CRASH_WITHIN_MS = { first: 5_000, second: 1_500 };
/** How often the crash falls into the first campaign, 0 to 1. */
const FIRST_CRASHES = 0.7;

const FIRST = {
  words: 'complete',
  count: 'complete',
  longest: 'complete',
  report: 'complete',
  usage: 'skipped',
};
const SECOND = { lines: 'complete', rhymes: 'escalated', poem: 'skipped' };

/**
 * Two campaigns, a failure in each. The first one is planned by an agent, a diamond of four
 * sub-runs and a tail, and halts until a person has decided. The second one is written by hand in
 * `more`, three sub-runs, and continues without what cannot be done.
 */
export const playCampaigns = async (
  stage: Stage,
  crash: boolean,
  more: string,
): Promise<PlayedDemo> => {
  const { screen } = stage;
  const crashIn = !crash ? null : Math.random() < FIRST_CRASHES ? 'first' : 'second';
  const { jobId } = await stage.client.createJob({
    type: 'campaign',
    workflowPath: 'workflows/campaign.md',
    params: {
      repoSlug: 'texts',
      description:
        'A command that says of a text how many words it has and which one is the longest, with its usage.',
    },
  });
  screen.say(`campaign ${jobId}`);
  if (crashIn === 'first') stage.crashWithin(CRASH_WITHIN_MS.first);
  const first = await followCampaignToEnd(stage, jobId, 'campaign');

  screen.title(
    'A second one, written by hand: no agent plans it, and it continues after a failure.',
  );
  screen.person(`svc campaign start ${more} --no-stream`);
  const created = JSON.parse(
    await stage.runner.command('campaign', 'start', more, '--no-stream', '--json'),
  ) as { jobId: string };
  screen.say(`campaign ${created.jobId}`);
  if (crashIn === 'second') stage.crashWithin(CRASH_WITHIN_MS.second);
  const second = await followCampaignToEnd(stage, created.jobId, 'more');

  const outcomes = [first, second].map(summarizeCampaign);
  const [halted, wentOn] = outcomes;
  const complete = outcomes.every(({ status }) => status === 'complete');
  const subRuns = outcomes.reduce((sum, one) => sum + Object.keys(one.subRuns).length, 0);
  const merges = outcomes.reduce((sum, one) => sum + one.merges, 0);
  return {
    jobId,
    ok:
      complete &&
      merges === 5 &&
      isSameJson(halted?.subRuns, FIRST) &&
      isSameJson(wentOn?.subRuns, SECOND),
    headline: `${complete ? 'Complete' : outcomes.map(({ status }) => status).join(', ')}: 2 campaigns, ${subRuns} sub-runs, ${merges} merges`,
    details: [
      '1. It halted until a person had decided.',
      formatCampaignTable(first),
      formatCampaignInsights(first),
      await quoteParentReport(stage.client, first),
      '2. It continued without asking anyone: sub-runs that wait for a failed one are skipped.',
      formatCampaignTable(second),
      await quoteParentReport(stage.client, second),
    ].join('\n\n'),
    lookFurther: [
      ...[jobId, created.jobId].map((id) => `campaign show --job ${id}`),
      `logs --job ${jobId}`,
      'pr list --repo texts',
    ],
    outcome: { campaigns: outcomes },
  };
};

const isSameJson = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const followCampaignToEnd = async (
  stage: Stage,
  jobId: string,
  name: string,
): Promise<EndedCampaign> => {
  const { screen } = stage;
  stage.follow(jobId, name);
  return stage.until(LIMIT_MS, async (client) => {
    const now = await client.job(jobId);
    for (const subRun of now.subRuns)
      if (subRun.jobId !== null) stage.follow(subRun.jobId, subRun.name);
    if (now.ended)
      return {
        job: now,
        campaign: await client.campaign(jobId),
        children: await fetchSubRunJobs(client, now),
      };
    await decideSubRuns(client, now, (did) => screen.person(did));
    return null;
  });
};

const fetchSubRunJobs = (client: Client, { subRuns }: Job): Promise<Job[]> =>
  Promise.all(subRuns.flatMap(({ jobId }) => (jobId === null ? [] : [client.job(jobId)])));
