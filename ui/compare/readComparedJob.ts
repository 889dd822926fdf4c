import type { Client } from '../../src/api/client/client.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { readPlan } from '../inbox/readPlan.ts';
import { readChangeSize } from '../jobs/page/readChangeSize.ts';
import type { ChangeSize } from '../jobs/page/pickNextStep.ts';
import type { ComparedJob } from './comparedJob.ts';

type Reads = Pick<Client, 'job' | 'timeline' | 'artefact' | 'jobPullRequestDiff'>;

const readNewestPlan = async (client: Reads, { id, artefacts }: Job): Promise<string | null> => {
  const plan = artefacts.findLast(
    ({ kind, removedAt }) => kind === 'plan-md' && removedAt === undefined,
  );
  return plan === undefined ? null : readPlan(client, id, plan.id);
};

/** Other forges limit requests; a pull request that is gone has no size. */
const readLocalSize = async (client: Reads, { id, prMappings }: Job): Promise<ChangeSize> => {
  const pr = prMappings.findLast(({ forge }) => forge === 'local');
  if (pr === undefined) return null;
  try {
    return await readChangeSize(client, id, pr.prId);
  } catch {
    return null;
  }
};

/** Reads what is compared of a job. */
export async function readComparedJob(client: Reads, id: string): Promise<ComparedJob> {
  const [job, timeline] = await Promise.all([client.job(id), client.timeline(id)]);
  const [plan, size] = await Promise.all([readNewestPlan(client, job), readLocalSize(client, job)]);
  return { job, timeline, plan, size };
}
