import { approvalBeyond, type JobContext, parkPhaseOf } from '../../machines/index.ts';
import type { SubRunInput } from '../schema/subRun.ts';
import { type Forges, repoOfParams } from '../providers/forges.ts';
import { isRepositoryNamed } from '../news/writes/namedRepository.ts';
import { parentOf } from './subRunJob.ts';
import { subRunParams } from '../job/subRunParams.ts';

/**
 * Whether a person approves the sub-runs that are finalized in the job's present phase before any
 * of them begins: at the checkpoint of this phase, or at one on the way to parkPhase that is not
 * approved yet. An approval in advance is one.
 */
export function isPlanApproved(context: JobContext): boolean {
  const { workflow, phase } = context;
  const own = workflow.phases.find(({ name }) => name === phase);
  const parkPhase = parkPhaseOf(workflow);
  return (
    own?.interactive_checkpoint === true ||
    (parkPhase !== null && approvalBeyond(context, parkPhase) !== null)
  );
}

/**
 * The repository of a sub-run, in words, where it is not the parent's and no user has named it;
 * else null.
 */
export function foreignRepository(
  forges: Forges,
  context: JobContext,
  spec: Pick<SubRunInput, 'description' | 'params' | 'trackerRef'>,
): string | null {
  const repo = repoOfParams(subRunParams(parentOf(context), spec));
  return repo === null || isRepositoryNamed(forges, context, repo) ? null : repo.slug;
}

/** Why an agent cannot send a sub-run into this repository, and who can. */
export const foreignText = (slug: string): string =>
  `works in ${slug}, which is not this job's repository. A person can name it (params.writesTo when the job is created, or writesTo in the workflow's front matter), or approve it with the plan (interactive_checkpoint of the phase that finalizes)`;
