import type { Client } from '../src/client/client.ts';
import type { Campaign } from '../src/schema/campaign.ts';
import type { Job } from '../src/schema/job.ts';
import { decide } from './campaignDecisions.ts';
import type { Played } from './played.ts';
import type { Stage } from './stage.ts';

/** Longest run before the demo gives up. */
const LIMIT_MS = 120_000;
/** A clean run takes about ten seconds from the request on; the crash falls somewhere in the first of them. */
const CRASH_WITHIN_MS = 8_000;
/** How the parent is called on the screen. */
const PARENT = 'campaign';

const EXPECTED = { words: 'complete', count: 'complete', longest: 'complete', report: 'complete', usage: 'skipped' };

/** One campaign: a diamond of four sub-runs and a tail, a failure, a person who decides, and the report of it all. */
export const playCampaign = async (stage: Stage, crash: boolean): Promise<Played> => {
  const { screen } = stage;
  const { jobId } = await stage.client.createJob({
    type: 'campaign',
    workflowPath: 'workflows/campaign.md',
    params: {
      repoSlug: 'texts',
      description: 'A command that says of a text how many words it has and which one is the longest, with its usage.',
    },
  });
  screen.say(`campaign ${jobId}`);
  if (crash) stage.crashWithin(CRASH_WITHIN_MS);
  stage.follow(jobId, PARENT);
  const { job, campaign, children } = await stage.until(LIMIT_MS, async (client) => {
    const now = await client.job(jobId);
    for (const { name, jobId: subRun } of now.subRuns) if (subRun !== null) stage.follow(subRun, name);
    if (now.ended) return { job: now, campaign: await client.campaign(jobId), children: await subRunJobs(client, now) };
    await decide(client, now, (did) => screen.person(did));
    return null;
  });
  const prs = children.flatMap(({ prMappings }) => prMappings);
  const merges = prs.filter(({ state }) => state === 'merged').length;
  const subRuns = Object.fromEntries(campaign.subRuns.map(({ name, status }) => [name, status]));
  const attempts = campaign.subRuns.reduce((sum, { attempt }) => sum + attempt, 0);
  return {
    jobId,
    ok: job.status === 'complete' && merges === 4 && JSON.stringify(subRuns) === JSON.stringify(EXPECTED),
    headline: `${job.status === 'complete' ? 'Complete' : job.status}: ${campaign.subRuns.length} sub-runs, ${merges} merges`,
    details: await details(stage.client, job, campaign, children),
    lookFurther: [`npx svc campaign show --job ${jobId}`, `npx svc logs --job ${jobId}`, 'npx svc pr list --repo texts'],
    outcome: {
      status: job.status,
      phases: job.phases.map(({ phase }) => phase),
      subRuns,
      attempts,
      prs: prs.length,
      merges,
      insights: job.aggregatedSiblingInsights.length,
      contractDrift: campaign.contractDrift.length,
    },
  };
};

const subRunJobs = (client: Client, { subRuns }: Job): Promise<Job[]> =>
  Promise.all(subRuns.flatMap(({ jobId }) => (jobId === null ? [] : [client.job(jobId)])));

const details = async (client: Client, job: Job, campaign: Campaign, children: readonly Job[]): Promise<string> => {
  const report = job.artefacts.filter(({ kind }) => kind === 'report-md').at(-1);
  const text = report ? await client.artefact(job.id, report.id) : '';
  const prOf = (id: string | null) => children.find((child) => child.id === id)?.prMappings[0]?.prId ?? '-';
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
  return `  phases         ${job.phases.map(({ phase }) => phase).join(' → ')}
  critical path  ${campaign.criticalPath.join(' → ')}

  sub-run   after            status     attempts  pull request
${rows.map((row) => `  ${row.trimEnd()}`).join('\n')}

  insights of the sub-runs, as the parent got them
${job.aggregatedSiblingInsights.map(({ category, text: said }) => `  - [${category}] ${said}`).join('\n')}

${text.trim().replace(/^/gm, '  | ')}`;
};
