import { readJobRepo } from '../../providers/forges.ts';
import type { CheckedJob } from '../create/checkJobRequest.ts';
import type { CreateJobDeps } from '../create/createJobDeps.ts';
import { refuseUnenforced } from './enforcement.ts';
import { resolveRequestedSubRuns } from '../create/estimateCheckedJob.ts';
import { describeSandboxTerms } from './describeSandboxTerms.ts';
import { describeUnattendedTerms } from './describeUnattendedTerms.ts';
import { listMentionedWorkflows } from '../../workflows/definition/textRules.ts';
import type { OpenOverlay } from '../../workflows/overlay/openOverlay.ts';
import type { NewJob } from '../../policy/budgets/deriveNewJobFacts.ts';

/**
 * The job as it begins, and with each workflow that it can reach by name: those that its agents are
 * asked to switch to, that of its sub-runs, and theirs in turn. Invalid workflows are left out,
 * since nothing can start with them.
 */
export function listReachableJobs(overlay: OpenOverlay, job: NewJob): NewJob[] {
  const reached = new Map([[job.workflowPath, job]]);
  for (const { workflowPath, workflow } of reached.values()) {
    const { coordinator } = workflow;
    const below = coordinator?.enabled === true ? coordinator.subRunWorkflowPath : null;
    const agents = workflow.phases.flatMap(({ agent }) => agent ?? []);
    const texts = [workflowPath, ...agents].filter((path) => overlay.has(path));
    const named = texts.flatMap((path) => listMentionedWorkflows(overlay.text(path)));
    for (const path of below === null ? named : [below, ...named]) {
      if (reached.has(path) || !overlay.has(path)) continue;
      const { table } = overlay.workflow(path);
      if (table) reached.set(path, { ...job, workflowPath: path, workflow: table });
    }
  }
  return [...reached.values()];
}

/**
 * What an unattended job may spend and do; undefined for any other job. Throws SvcError
 * `cannot-run` if one of its caps cannot be enforced in a phase that it can reach, be it its own,
 * of its sub-runs or of a workflow that its agents are asked to switch to.
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
