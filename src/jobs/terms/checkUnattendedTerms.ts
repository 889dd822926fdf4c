import { readJobRepo } from '../../providers/forges.ts';
import type { CheckedJob } from '../create/checkJobRequest.ts';
import type { CreateJobDeps } from '../create/createJobDeps.ts';
import { refuseUnenforced } from './enforcement.ts';
import { resolveRequestedSubRuns } from '../create/estimateCheckedJob.ts';
import { listReachableJobs } from './listReachableJobs.ts';
import { describeSandboxTerms } from './describeSandboxTerms.ts';
import { describeUnattendedTerms } from './describeUnattendedTerms.ts';

/**
 * What a job may spend and do that is to work unattended; undefined for any other. Throws SvcError
 * `cannot-run` where one of its caps could not be enforced in a phase that it can come to, whether
 * its own, of its sub-runs or of a workflow that its agents are asked to go over to.
 */
export async function checkUnattendedTerms(
  deps: CreateJobDeps,
  job: CheckedJob,
): Promise<string[] | undefined> {
  const { enforcement, workplace } = deps;
  if (job.params.unattended === undefined) return undefined;
  const { overlay } = await workplace.overlay(readJobRepo(job.params));
  const accounts = enforcement.accounts(job);
  const campaign = accounts.filter(({ scope }) => scope === 'campaign');
  const phases = [
    ...listReachableJobs(overlay, job).flatMap((one) => enforcement.phases(one)),
    ...(await resolveRequestedSubRuns(deps, job)).flatMap((one) =>
      enforcement.phases(one, campaign),
    ),
  ];
  refuseUnenforced(phases, job.workflowPath);
  return [
    ...describeUnattendedTerms(job, { accounts, phases }),
    ...(await describeSandboxTerms(deps)),
  ];
}
