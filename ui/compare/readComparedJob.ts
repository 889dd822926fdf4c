import type { Client } from '../../src/api/client/client.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { readPlan } from '../inbox/readPlan.ts';
import { readChangedFiles } from '../jobs/page/readChangedFiles.ts';
import type { ComparedJob } from './comparedJob.ts';

type Reads = Pick<Client, 'job' | 'timeline' | 'artefact' | 'jobPullRequestDiff'>;

const readNewestPlan = async (client: Reads, { id, artefacts }: Job): Promise<string | null> => {
  const plan = artefacts.findLast(
    ({ kind, removedAt }) => kind === 'plan-md' && removedAt === undefined,
  );
  return plan === undefined ? null : readPlan(client, id, plan.id);
};

/** A pull request that is gone, or whose forge is away, has no files. */
const readFinalFiles = async (
  client: Reads,
  { id, prMappings }: Job,
): Promise<ComparedJob['files']> => {
  const pr = prMappings.at(-1);
  if (pr === undefined) return null;
  try {
    return await readChangedFiles(client, id, pr.prId);
  } catch {
    return null;
  }
};

/** Reads what is compared of a job. */
export async function readComparedJob(client: Reads, id: string): Promise<ComparedJob> {
  const [job, timeline] = await Promise.all([client.job(id), client.timeline(id)]);
  const [plan, files] = await Promise.all([
    readNewestPlan(client, job),
    readFinalFiles(client, job),
  ]);
  return { job, timeline, plan, files };
}
