import type { Artefact, Job } from '../../src/contract/schema/job/job.ts';

interface NewestArtefacts {
  /** The newest plan, or the newest other text where it has posted no plan; null = neither. */
  document: Artefact | null;
  /** The others. */
  others: Artefact[];
}

const TEXT = /^text\/markdown\b/;

/** What the agent has posted in the newest visit of the job, newest first. */
export function findNewestArtefacts(job: Pick<Job, 'artefacts' | 'visit'>): NewestArtefacts {
  const made = job.artefacts
    .filter(({ visit, removedAt }) => visit === job.visit && removedAt === undefined)
    .toReversed();
  const document =
    made.find(({ kind }) => kind === 'plan-md') ?? made.find(({ mime }) => TEXT.test(mime)) ?? null;
  return { document, others: made.filter((one) => one !== document) };
}
