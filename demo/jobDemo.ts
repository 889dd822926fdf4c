import type { Client } from '../src/api/client/client.ts';
import type { Job } from '../src/contract/schema/job/job.ts';
import type { PlayedDemo, Stage } from './stage.ts';

const QUESTION =
  'Good. What about a title that is nothing but dashes and spaces? Please add a test.';

/**
 * The stand-in for a person: approves the plan that it has seen, asks for one more test on the pull
 * request, and merges when that is answered. It reads the current state each time, so it may be
 * called again after a crash. `author`: how the forge calls this person.
 *
 * @returns what it did, in words, or null when there was nothing to do
 */
export const actAsReviewer = async (
  client: Client,
  job: Job,
  author = 'reviewer',
): Promise<string | null> => {
  if (job.parked?.kind === 'approval') {
    await client.resume(job.id, {
      eventKey: 'approve',
      ...(job.approval?.shown ? { shown: job.approval.shown } : {}),
    });
    return `approved the plan of ${job.phase}`;
  }
  const open = job.prMappings.find(({ state }) => state === 'open');
  if (job.parked?.kind !== 'event' || !open) return null;
  const { thread } = await client.pullRequest(open.repo, open.number);
  const question = thread.find((comment) => comment.author === author);
  if (!question) {
    await client.commentPullRequest(open.repo, open.number, { author, body: QUESTION });
    return `commented on ${open.prId}: ${QUESTION}`;
  }
  if (!thread.some(({ inReplyTo }) => inReplyTo === question.id)) return null;
  await client.mergePullRequest(open.repo, open.number, { author });
  return `merged ${open.prId}`;
};

/** Longest run before the demo gives up: some agents take half a minute to begin. */
const LIMIT_MS = { programs: 120_000, agent: 900_000 };
/** A clean run takes about four seconds; the crash falls somewhere in the first of them. */
const CRASH_WITHIN_MS = 3_500;

interface FindingsParams {
  investigationId?: string;
  findingsSha?: string;
}

/** Plays one job of the default workflow, from request to merge; `by` names its agents. */
export const playJob = async (
  stage: Stage,
  crash: boolean,
  by: keyof typeof LIMIT_MS,
  findings: FindingsParams = {},
): Promise<PlayedDemo> => {
  const { screen } = stage;
  const { jobId } = await stage.client.createJob({
    type: 'job',
    workflowPath: 'workflows/job.md',
    params: {
      repoSlug: 'titles',
      description: 'The tests of this repository fail. Find out why and fix it.',
      reviewers: ['reviewer'],
      ...findings,
    },
  });
  screen.say(`job ${jobId}`);
  if (crash) stage.crashWithin(CRASH_WITHIN_MS);
  stage.follow(jobId);
  const job = await stage.until(LIMIT_MS[by], async (client) => {
    const now = await client.job(jobId);
    if (now.ended) return now;
    const did = await actAsReviewer(client, now);
    if (did) screen.person(did);
    return null;
  });
  const merges = job.prMappings.filter(({ state }) => state === 'merged').length;
  return {
    jobId,
    ok: job.status === 'complete' && job.prMappings.length === 1 && merges === 1,
    headline: `${job.status === 'complete' ? 'Complete' : job.status}: ${job.phases.length} phase visits`,
    details: await formatJobDetails(stage.client, job),
    lookFurther: [
      `status --job ${jobId}`,
      `logs --job ${jobId}`,
      'pr show --repo titles --number 1',
      'pr diff --repo titles --number 1',
    ],
    outcome: {
      status: job.status,
      phases: job.phases.map(({ phase }) => phase),
      prs: job.prMappings.length,
      merges,
    },
  };
};

const formatJobDetails = async (client: Client, job: Job): Promise<string> => {
  const report = job.artefacts.filter(({ kind }) => kind === 'report-md').at(-1);
  const text = report ? await client.artefact(job.id, report.id) : '';
  return `  phases      ${job.phases.map(({ phase }) => phase).join(' → ')}
  pull request ${job.prMappings.map(({ prId, state, mergedAt }) => `${prId} ${state}${mergedAt ? ` at ${mergedAt}` : ''}`).join(', ')}
  artefacts   ${job.artefacts.map(({ title, kind }) => `${title} (${kind})`).join(', ')}
  journal     ${job.journalLength} rows

${text.trim().replace(/^/gm, '  | ')}`;
};
