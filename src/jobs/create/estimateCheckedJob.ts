import type { NewJob } from '../../policy/budgets/deriveNewJobFacts.ts';
import { SESSIONS_PER_VISIT } from '../../base/limits/jobLimits.ts';
import { readJobRepo } from '../../providers/forges.ts';
import type { CreateJobBody } from '../../contract/schema/api/bodies.ts';
import type { Estimate } from '../../contract/schema/policy/estimate.ts';
import type { ResolvedOverlay } from '../workspace/jobOverlays.ts';
import { type CheckedJob, checkJobRequest } from './checkJobRequest.ts';
import type { CreateJobDeps } from './createJobDeps.ts';
import { NO_RULES } from '../../policy/guardrails/startGuard.ts';
import { requireRunnableTable } from './jobChecks.ts';
import { buildSubRunParams, resolveSubRunWorkflow } from '../subRuns/buildSubRunParams.ts';

export const estimateCheckedJob = async (deps: CreateJobDeps, job: CheckedJob): Promise<Estimate> =>
  deps.estimates.of({
    ...job,
    subRuns: await resolveRequestedSubRuns(deps, job),
    sessionsPerVisit: SESSIONS_PER_VISIT,
  });

/**
 * POST /jobs/estimate: what a job of this request may use; nothing is created. Throws like the
 * creation, except for a spent budget, which is part of the answer.
 */
export const createEstimator =
  (deps: CreateJobDeps) =>
  async (request: CreateJobBody): Promise<Estimate> => {
    // Nothing starts, so no rule is checked.
    const job = await checkJobRequest({ ...deps, guardrails: NO_RULES }, request);
    const subRuns = await resolveRequestedSubRuns(deps, job);
    return deps.estimates.of({ ...job, subRuns, sessionsPerVisit: SESSIONS_PER_VISIT });
  };

/** The sub-runs that the request names, as future jobs. */
export async function resolveRequestedSubRuns(
  { workplace }: CreateJobDeps,
  { body, params, interactive, coordinator }: CheckedJob,
): Promise<NewJob[]> {
  if (!coordinator || !body.subRuns) return [];
  const parent = { id: '', params, interactive, coordinator };
  const overlays = new Map<string, ResolvedOverlay>();
  const jobs: NewJob[] = [];
  for (const spec of body.subRuns) {
    const own = buildSubRunParams(parent, spec);
    const repo = readJobRepo(own);
    const key = JSON.stringify(repo);
    const resolved = overlays.get(key) ?? (await workplace.overlay(repo));
    overlays.set(key, resolved);
    const subRunWorkflow = resolveSubRunWorkflow(resolved.overlay, parent, own);
    // The request was checked. A workflow that has disappeared since is reported when the sub-run
    // starts.
    if ('problem' in subRunWorkflow) continue;
    const workflow = requireRunnableTable(resolved.overlay, subRunWorkflow.path);
    jobs.push({ workflowPath: subRunWorkflow.path, workflow, params: own, interactive });
  }
  return jobs;
}
