import {
  findApprovalBeyondVisit,
  type JobContext,
  findParkPhase,
} from '../../../machines/index.ts';
import type { SubRunInput } from '../../contract/schema/job/subRun.ts';
import { type Forges, readJobRepo } from '../../providers/forges.ts';
import { isRepositoryNamed } from '../../forges/outbound/namedRepository.ts';
import { toSubRunParent } from './createSubRunPreparer.ts';
import { buildSubRunParams } from '../../jobs/subRuns/buildSubRunParams.ts';

/**
 * Whether a person approves the sub-runs that are finalized in the job's present phase before any
 * of them begins: at the checkpoint of this phase, or at one on the way to parkPhase that is not
 * approved yet. An approval in advance is one.
 */
export function isPlanApproved(context: JobContext): boolean {
  const { workflow, phase } = context;
  const own = workflow.phases.find(({ name }) => name === phase);
  const parkPhase = findParkPhase(workflow);
  return (
    own?.interactive_checkpoint === true ||
    (parkPhase !== null && findApprovalBeyondVisit(context, parkPhase) !== null)
  );
}

/**
 * The repository of a sub-run, in words, where it is not the parent's and no user has named it;
 * else null.
 */
export function findForeignRepository(
  forges: Forges,
  context: JobContext,
  spec: Pick<SubRunInput, 'description' | 'params' | 'trackerRef'>,
): string | null {
  const repo = readJobRepo(buildSubRunParams(toSubRunParent(context), spec));
  return repo === null || isRepositoryNamed(forges, context, repo) ? null : repo.slug;
}

/** Why an agent cannot send a sub-run into this repository, and who can. */
export const describeForeignRepository = (slug: string): string =>
  `works in ${slug}, which is not this job's repository. A person can name it (params.writesTo when the job is created, or writesTo in the workflow's front matter), or approve it with the plan (interactive_checkpoint of the phase that finalizes)`;
