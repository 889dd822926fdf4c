import { repoOfParams } from '../providers/forges.ts';
import type { CheckedJob } from './checkedJob.ts';
import type { CreateJobDeps } from './createJobDeps.ts';
import { refuseUnenforced } from './enforcement.ts';
import { subRunsOf } from './jobEstimate.ts';
import { reachedJobs } from './reachedJobs.ts';
import { sandboxTerms } from './sandboxTerms.ts';
import { unattendedTerms } from './unattendedTerms.ts';

/**
 * What a job may spend and do that is to work unattended; undefined for any other. Throws SvcError
 * `cannot-run` where one of its caps could not be enforced in a phase that it can come to, whether
 * its own, of its sub-runs or of a workflow that its agents are asked to go over to.
 */
export async function termsOf(deps: CreateJobDeps, job: CheckedJob): Promise<string[] | undefined> {
  const { enforcement, workplace } = deps;
  if (job.params.unattended === undefined) return undefined;
  const { overlay } = await workplace.overlay(repoOfParams(job.params));
  const accounts = enforcement.accounts(job);
  const campaign = accounts.filter(({ scope }) => scope === 'campaign');
  const phases = [
    ...reachedJobs(overlay, job).flatMap((one) => enforcement.phases(one)),
    ...(await subRunsOf(deps, job)).flatMap((one) => enforcement.phases(one, campaign)),
  ];
  refuseUnenforced(phases, job.workflowPath);
  return [...unattendedTerms(job, { accounts, phases }), ...(await sandboxTerms(deps))];
}
