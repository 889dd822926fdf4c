import type { Client } from '../src/api/client/client.ts';
import type { Job } from '../src/contract/schema/job/job.ts';
import type { SubRunWhatIf } from '../src/contract/schema/job/subRun.ts';

const PATCH = { tie: 'first' };
const SKIPPED = 'usage';

/** The runner calls that a person needs for a campaign; results of acts are not read. */
export type CampaignStage = Pick<Client, 'job' | 'campaign' | 'subRunWhatIf'> & {
  [Act in 'resume' | 'mergePullRequest' | 'skipSubRun' | 'rerunSubRun']: (
    ...args: Parameters<Client[Act]>
  ) => Promise<unknown>;
};

/**
 * The stand-in for a person: approves the plan, merges what the sub-runs open, and decides about
 * the sub-run that gives up, after a look at what each decision would change. It reads the current
 * state each time, so it may be called again after a crash. `say` receives a description of each
 * step. Throws when something waits for a decision that it does not know.
 */
export const decideSubRuns = async (
  client: CampaignStage,
  job: Job,
  say: (did: string) => void,
): Promise<void> => {
  refuseToWait(job);
  if (job.parked?.kind === 'approval') {
    say(`approves the plan of ${job.phase}`);
    await client.resume(job.id, {
      eventKey: 'approve',
      ...(job.approval?.shown ? { shown: job.approval.shown } : {}),
    });
  }
  if (job.parked?.kind !== 'subRuns' && job.parked?.kind !== 'halted') return;
  for (const { status, jobId } of job.subRuns) {
    if (status === 'dispatched' && jobId !== null) await mergeOpen(client, jobId, say);
  }
  const { state, subRuns } = await client.campaign(job.id);
  const broken = subRuns.find(({ status }) => status === 'escalated' || status === 'failed');
  if (state !== 'halted' || !broken) return;
  // A failed rerun would fail again each time.
  if (broken.attempt > 1)
    throw new Error(
      `${broken.name} did not succeed at attempt ${broken.attempt}: ${broken.reason}`,
    );
  say(`finds the campaign halted: ${broken.name} is ${broken.status}`);
  const skip = await client.subRunWhatIf(job.id, broken.name, { action: 'skip' });
  say(`asks what a skip would change: ${formatWhatIf(skip)}`);
  const rerun = await client.subRunWhatIf(job.id, broken.name, {
    action: 'rerun',
    paramsPatch: PATCH,
  });
  say(`asks what a rerun would change: ${formatWhatIf(rerun)}`);
  // The skip goes first: after a crash that follows the rerun the campaign would already continue,
  // and the skip would never be decided.
  if (subRuns.some(({ name, status }) => name === SKIPPED && status === 'pending')) {
    say(`skips ${SKIPPED}`);
    await client.skipSubRun(job.id, SKIPPED, { reason: 'another team writes the usage' });
  }
  say(`reruns ${broken.name} with ${JSON.stringify(PATCH)}`);
  await client.rerunSubRun(job.id, broken.name, {
    reason: 'the missing parameter is given',
    paramsPatch: PATCH,
  });
};

const mergeOpen = async (
  client: CampaignStage,
  jobId: string,
  say: (did: string) => void,
): Promise<void> => {
  const job = await client.job(jobId);
  refuseToWait(job);
  const open = job.prMappings.find(({ state }) => state === 'open');
  if (job.parked?.kind !== 'event' || !open) return;
  say(`merges ${open.prId}: ${open.title}`);
  await client.mergePullRequest(open.repo, open.number, { author: 'reviewer' });
};

/** A job that waits for a developer would wait forever. */
const refuseToWait = ({ id, parked }: Job): void => {
  if (parked?.kind === 'developer' || parked?.kind === 'paused')
    throw new Error(`${id} waits for a developer: ${parked.reason}`);
};

const formatWhatIf = ({ refused, state, changes, starts }: SubRunWhatIf): string =>
  refused ??
  [
    ...changes.map(({ name, from, to }) => `${name} ${from} → ${to}`),
    starts.length > 0 ? `starts ${starts.join(', ')}` : 'starts nothing',
    `then the whole is ${state}`,
  ].join('; ');
