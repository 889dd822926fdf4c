import { readConfigCaps } from '../../policy/budgets/resolveCaps.ts';
import { deriveNewJobFacts, type NewJob } from '../../policy/budgets/deriveNewJobFacts.ts';
import { doesNothing, findStuckPhases } from '../../workflows/overlay/findStuckPhases.ts';
import type { Caps } from '../../base/spending/budgetScopes.ts';
import { resolveJobType } from '../../base/agents/selfUpdate.ts';
import { type FieldError, SvcError } from '../../base/errors/errors.ts';
import { type Forges, readJobRepo } from '../../providers/forges.ts';
import { LOCAL_FORGE } from '../../providers/local/describe.ts';
import type { CreateJobBody } from '../../contract/schema/api/bodies.ts';
import { expandEveryPhase } from '../../contract/schema/job/jobParams.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { Coordinator, WorkflowTable } from '../../contract/schema/workflow/workflow.ts';
import { type RepoProblem, refuseToRun } from './refuseToRun.ts';
import { checkCampaignRequest } from '../subRuns/checkCampaignRequest.ts';
import type { CreateJobDeps } from './createJobDeps.ts';
import {
  findAutoApproveErrors,
  requireRunnableTable,
  findLoosenedCapErrors,
  findMissingParams,
  findParamErrors,
  findRepoErrors,
  findParamTypeErrors,
} from './jobChecks.ts';
import { countUnknownRepo } from '../../policy/guardrails/startGuard.ts';
import { fillParamsFromTicket } from '../tickets/fillParamsFromTicket.ts';
import { normalizeUnattendedLimit } from '../terms/unattendedLimit.ts';

export interface CheckedJob extends NewJob {
  /** The request, filled in from its ticket. */
  body: CreateJobBody;
  /** Of a campaign written by hand: what the request says overrides the workflow. */
  coordinator: Coordinator | undefined;
}

/** Reports every mistake of a request before the job exists. Throws SvcError. */
export const checkJobRequest = async (
  deps: CreateJobDeps,
  request: CreateJobBody,
): Promise<CheckedJob> => {
  const { settings } = deps;
  const { body: filledRequest, noRepo } = await applyTicketToRequest(deps, request);
  const body = {
    ...filledRequest,
    type: resolveJobType(filledRequest.workflowPath, filledRequest.type),
  };
  const workflow = await checkJobWorkflow(deps, body, noRepo);
  refuseLoosened(settings, body.params, workflow);
  const params: Record<string, unknown> = normalizeUnattendedLimit(
    expandEveryPhase(body.params),
    deps.now(),
  );
  const interactive = isInteractive(settings, params);
  const coordinator =
    body.subRuns && (await checkCampaignRequest(deps, body, workflow, interactive));
  return { body, workflowPath: body.workflowPath, workflow, params, interactive, coordinator };
};

/** Refuses a job whose first session could not start for lack of budget. */
export const refuseOverBudget = ({ budgets }: CreateJobDeps, job: NewJob): void => {
  const overrun = budgets.problemOfNew(deriveNewJobFacts(job));
  if (!overrun) return;
  throw new SvcError('over-budget', `The job cannot start: ${overrun.text}`, {
    data: { budget: overrun },
  });
};

const refuseParams = (errors: readonly FieldError[]): void => {
  if (errors.length > 0)
    throw new SvcError('invalid', 'The params of the job are not valid.', { errors });
};

const isInteractive = (settings: Settings, { interactive }: Record<string, unknown>): boolean =>
  typeof interactive === 'boolean' ? interactive : settings.coachMode.enabled;

const refuseLoosened = (
  settings: Settings,
  params: Record<string, unknown>,
  workflow: WorkflowTable,
): void => {
  if (params.budget === undefined) return;
  const { caps: config, headlessFactor } = settings.budgets;
  const interactive = isInteractive(settings, params);
  const upper = [readConfigCaps({ config, headlessFactor, interactive }), workflow.budget];
  refuseParams(findLoosenedCapErrors(params.budget as Caps, upper));
};

/**
 * Fills in the request from its ticket. The ticket is read before the job exists, and once per
 * Idempotency-Key: a repeat gets the first job, whatever the ticket says by then.
 */
const applyTicketToRequest = async (
  deps: CreateJobDeps,
  body: CreateJobBody,
): Promise<{ body: CreateJobBody; noRepo: string | null }> => {
  refuseParams([...findParamTypeErrors(body.params), ...findParamErrors(body.params)]);
  const { params, noRepo } = await fillParamsFromTicket(deps.tickets, body.params);
  if (params !== body.params) refuseParams(findParamErrors(params));
  return { body: { ...body, params }, noRepo };
};

const checkJobWorkflow = async (
  deps: CreateJobDeps,
  { workflowPath, params }: CreateJobBody,
  noRepo: string | null,
) => {
  const { workplace, forges, repositories, runAdvisor } = deps;
  let repo = toRepoProblem(params, forges);
  // Checked before anything is read from the repository, since later the cause is less clear.
  const unusable = repo.errors.length === 0 ? await repositories.problem(params) : null;
  if (unusable !== null)
    throw new SvcError('cannot-run', `The job cannot run. ${unusable}`, {
      errors: [{ pointer: '/params/repoSlug', message: unusable }],
    });
  const { overlay } = await workplace.overlay(repo.errors.length > 0 ? null : readJobRepo(params));
  const table = requireRunnableTable(overlay, workflowPath);
  const missing = findMissingParams(overlay, workflowPath, params, noRepo);
  if (missing.length > 0)
    throw new SvcError('invalid', `${workflowPath} requires more params.`, { errors: missing });
  const unknown = findAutoApproveErrors(params, table);
  if (unknown.length > 0)
    throw new SvcError('invalid', `${workflowPath} lacks a phase that is approved in advance.`, {
      errors: unknown,
    });
  const stuck = findStuckPhases(runAdvisor, overlay, workflowPath);
  // Last, since it may need the network.
  if (repo.errors.length === 0) repo = { ...repo, errors: await repositories.errors(params) };
  await countUnknownRepo(deps, { workflowPath, params }, repo.errors);
  if (stuck.length > 0 || repo.errors.length > 0)
    await refuseToRun(runAdvisor, workflowPath, { stuck, repo });
  if (doesNothing(table)) {
    throw new SvcError(
      'cannot-run',
      `A job of ${workflowPath} would do nothing: no phase has an agent or a checkpoint, and it has no sub-runs. Give one of its phases an agent.`,
    );
  }
  return table;
};

/** Valid names below forges.local.repos. */
const LOCAL_SLUG = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/**
 * A repository of the local forge has a plain name; one of another forge cannot be added by a
 * command.
 */
const toRepoProblem = (params: Record<string, unknown>, forges: Forges): RepoProblem => {
  const { repoSlug, gitProvider } = params;
  const isLocal =
    typeof repoSlug === 'string' &&
    LOCAL_SLUG.test(repoSlug) &&
    (gitProvider === undefined || gitProvider === LOCAL_FORGE);
  const othersAreKnown = forges
    .all()
    .some((forge) => forge.capabilities.remote || forge.slugs().length > 0);
  return {
    slug: isLocal ? repoSlug : null,
    errors: findRepoErrors(params, forges),
    othersAreKnown,
  };
};
