import type { NewJob } from '../budgets/newJob.ts';
import { SESSIONS_PER_VISIT } from '../domain/jobLimits.ts';
import { repoOfParams } from '../providers/forges.ts';
import type { CreateJobBody } from '../schema/bodies.ts';
import type { Estimate } from '../schema/estimate.ts';
import type { ResolvedOverlay } from '../workplace/jobOverlays.ts';
import { type CheckedJob, checkedJob } from './checkedJob.ts';
import type { CreateJobDeps } from './createJobDeps.ts';
import { NO_RULES } from './guardrails/startGuard.ts';
import { checkedTable } from './jobChecks.ts';
import { subRunParams, subRunWorkflow } from './subRunParams.ts';

/** What a job that is about to be made may use. */
export const estimateOf = async (deps: CreateJobDeps, job: CheckedJob): Promise<Estimate> =>
  deps.estimates.of({
    ...job,
    subRuns: await subRunsOf(deps, job),
    sessionsPerVisit: SESSIONS_PER_VISIT,
  });

/**
 * POST /jobs/estimate: what a job of this request may use; nothing is made. Throws what the making
 * would, but for a budget that is spent already: that is in the answer.
 */
export const createEstimator =
  (deps: CreateJobDeps) =>
  async (given: CreateJobBody): Promise<Estimate> => {
    // Nothing begins, so no rule is asked.
    const job = await checkedJob({ ...deps, guardrails: NO_RULES }, given);
    const subRuns = await subRunsOf(deps, job);
    return deps.estimates.of({ ...job, subRuns, sessionsPerVisit: SESSIONS_PER_VISIT });
  };

/** The sub-runs that the request names, as the jobs that they will be. */
export async function subRunsOf(
  { workplace }: CreateJobDeps,
  { body, params, interactive, coordinator }: CheckedJob,
): Promise<NewJob[]> {
  if (!coordinator || !body.subRuns) return [];
  const parent = { id: '', params, interactive, coordinator };
  const overlays = new Map<string, ResolvedOverlay>();
  const jobs: NewJob[] = [];
  for (const spec of body.subRuns) {
    const own = subRunParams(parent, spec);
    const repo = repoOfParams(own);
    const key = JSON.stringify(repo);
    const resolved = overlays.get(key) ?? (await workplace.overlay(repo));
    overlays.set(key, resolved);
    const found = subRunWorkflow(resolved.overlay, parent, own);
    // The request was checked: what is gone meanwhile is said when the sub-run's turn comes.
    if ('problem' in found) continue;
    const workflow = checkedTable(resolved.overlay, found.path);
    jobs.push({ workflowPath: found.path, workflow, params: own, interactive });
  }
  return jobs;
}
