import {
  dispatcherId,
  type JobContext,
  type JobInput,
  parkPhaseOf,
  type SubRunsContext,
} from '../../machines/index.ts';
import type { RowChange } from '../records/changes.ts';
import { type FieldError, SvcError } from '../lib/errors.ts';
import { NO_JOB } from '../budgets/jobFacts.ts';
import { configCaps } from '../budgets/capsOf.ts';
import { doesNothing, stuckPhases } from '../authoring/overlay/stuckPhases.ts';
import type { CreatedJob, CreateJobBody } from '../schema/bodies.ts';
import type { Caps } from '../domain/budgetScopes.ts';
import type { Settings } from '../schema/settings.ts';
import type { WorkflowTable } from '../schema/workflow.ts';
import { withEveryPhase } from '../schema/jobParams.ts';
import type { LogFrame } from '../schema/frames.ts';
import { type Forges, repoOfParams } from '../providers/forges.ts';
import { LOCAL_FORGE } from '../providers/local/describe.ts';
import type { RequestKey } from '../contract/requestKey.ts';
import { EVERYTHING_RUNS, type RepoProblem, refuseToRun } from './cannotRun.ts';
import {
  autoApproveErrors,
  checkedTable,
  loosenedErrors,
  missingParams,
  paramErrors,
  repoErrors,
  typeErrors,
} from './jobChecks.ts';
import { asSvcErrors } from './refusals.ts';
import { startWarnings } from './startWarnings.ts';
import { fromTicket } from './tickets/fromTicket.ts';
import { checkedCampaign, campaignStart } from './checkedCampaign.ts';
import type { CreateJobDeps } from './createJobDeps.ts';
import { jobFindings } from './jobFindings.ts';

/** Fresh sessions that an agent may ask for in one phase visit. */
const SESSIONS_PER_VISIT = 10;

/** Why a job is made, where no person asks for it. */
export interface JobOrigin {
  /** Becomes params.trigger. */
  trigger: Record<string, unknown>;
  /** First line of the job's log. */
  line: string;
  /** Written in the commit that starts the job. */
  rows(jobId: string): RowChange[];
}

export type CreateJob = ReturnType<typeof createJobCreator>;

/**
 * POST /jobs: everything that can be wrong is said before the job exists; then its start is one
 * commit.
 */
export const createJobCreator = (deps: CreateJobDeps) => {
  const { settings, kernel, requests, now, ids } = deps;

  /** Also of a job that an earlier request with the same key has made. */
  const created = (jobId: string): CreatedJob => {
    const reply = { jobId, status: 'queued', streamUrl: `/jobs/${jobId}/stream` };
    const job = kernel.state(jobId)?.context as JobContext | undefined;
    const dispatcher = kernel.state(dispatcherId(jobId))?.context as SubRunsContext | undefined;
    const warnings = job ? startWarnings({ ...job, failurePolicy: dispatcher?.policy }) : [];
    return warnings.length === 0 ? reply : { ...reply, warnings };
  };

  return async (
    given: CreateJobBody,
    request?: RequestKey,
    origin?: JobOrigin,
  ): Promise<CreatedJob> =>
    requests.once(request, created, async (scope) => {
      const { body, noRepo } = await withTicket(deps, given);
      const workflow = await checkedWorkflow(deps, body, noRepo);
      refuseLoosened(settings, body.params, workflow);
      const { type, workflowPath } = body;
      const asked = withEveryPhase(body.params);
      const findings = await jobFindings(deps, asked);
      const params: Record<string, unknown> = { ...asked };
      if (origin) params.trigger = origin.trigger;
      if (findings) params.findingsSha = findings.sha256;
      const interactive = isInteractive(settings, params);
      const coordinator =
        body.subRuns && (await checkedCampaign(deps, body, workflow, interactive));
      refuseOverBudget(deps, { params, interactive, workflowPath, workflow });
      for (;;) {
        const { id, createdAt } = ids.next(params, now());
        const input: JobInput = {
          id,
          type,
          tenantId: settings.tenant.id,
          workflowPath,
          workflow,
          params,
          interactive,
          createdAt,
          limits: { gateBlocks: settings.runner.gateBlocks, sessionsPerVisit: SESSIONS_PER_VISIT },
        };
        const rows = [
          ...scope.claim(id),
          ...(origin?.rows(id) ?? []),
          ...(findings?.rows(id, createdAt, workflow.initial_phase) ?? []),
        ];
        const said = (tag: string, line: string) => ({
          actor: id,
          frame: firstLine(workflow.initial_phase, createdAt, tag, line),
        });
        const failurePolicy = coordinator?.failurePolicy;
        const phase = (coordinator && parkPhaseOf(workflow)) ?? workflow.initial_phase;
        const frames = [
          ...(origin ? [said('trigger', origin.line)] : []),
          ...(findings ? [said('plan', findings.line)] : []),
          ...startWarnings({
            interactive,
            workflowPath,
            workflow,
            params,
            phase,
            failurePolicy,
          }).map((line) => said('warning', line)),
        ];
        const { started } = await asSvcErrors(id, () =>
          kernel.submit(
            coordinator && body.subRuns
              ? { ...campaignStart(settings, input, coordinator, body.subRuns, rows), frames }
              : { starts: [{ chart: 'job', id, input }], rows, frames, allOrNothing: true },
          ),
        );
        if (started[0]?.created) return created(id);
      }
    });
};

const firstLine = (phase: string, at: number, tag: string, line: string) => {
  const data: LogFrame = {
    at: new Date(at).toISOString(),
    phase,
    visit: 0,
    from: 'runner',
    tag,
    line,
  };
  return { kind: 'log', data };
};

const refuseParams = (errors: readonly FieldError[]): void => {
  if (errors.length > 0)
    throw new SvcError('invalid', 'The params of the job are not valid.', { errors });
};

const isInteractive = (settings: Settings, { interactive }: Record<string, unknown>): boolean =>
  typeof interactive === 'boolean' ? interactive : settings.coachMode.enabled;

/** A job whose first session could not begin is refused before it exists. */
const refuseOverBudget = (
  { budgets }: CreateJobDeps,
  {
    params,
    interactive,
    workflowPath,
    workflow,
  }: Pick<JobInput, 'params' | 'interactive' | 'workflowPath' | 'workflow'>,
): void => {
  const { initial_phase: first, phases } = workflow;
  const exceeded = budgets?.problemOfNew({
    ...NO_JOB,
    repository: typeof params.repoSlug === 'string' ? params.repoSlug : null,
    interactive,
    workflowPath,
    phase: phases.find(({ name, agent }) => name === first && agent !== null) ?? null,
    visit: 1,
    session: 1,
    isNewVisit: true,
  });
  if (!exceeded) return;
  throw new SvcError('over-budget', `The job cannot begin: ${exceeded.text}`, {
    data: { budget: exceeded },
  });
};

const refuseLoosened = (
  settings: Settings,
  params: Record<string, unknown>,
  workflow: WorkflowTable,
): void => {
  if (params.budget === undefined) return;
  const { caps: config, headlessFactor } = settings.budgets;
  const interactive = isInteractive(settings, params);
  const upper = [configCaps({ config, headlessFactor, interactive }), workflow.budget];
  refuseParams(loosenedErrors(params.budget as Caps, upper));
};

/**
 * The request with what its ticket says. The ticket is read before the job exists, and once for an
 * Idempotency-Key: a repeat gets the job of the first time, whatever the ticket says by then.
 */
const withTicket = async (
  deps: CreateJobDeps,
  body: CreateJobBody,
): Promise<{ body: CreateJobBody; noRepo: string | null }> => {
  refuseParams([...typeErrors(body.params), ...paramErrors(body.params)]);
  const { params, noRepo } = await fromTicket(deps.tickets, body.params);
  if (params !== body.params) refuseParams(paramErrors(params));
  return { body: { ...body, params }, noRepo };
};

const checkedWorkflow = async (
  { workplace, forges, repositories, judge = EVERYTHING_RUNS }: CreateJobDeps,
  { workflowPath, params }: CreateJobBody,
  noRepo: string | null,
) => {
  let repo = repoProblem(params, forges);
  const { overlay } = await workplace.overlay(repo.errors.length > 0 ? null : repoOfParams(params));
  const table = checkedTable(overlay, workflowPath);
  const missing = missingParams(overlay, workflowPath, params, noRepo);
  if (missing.length > 0)
    throw new SvcError('invalid', `${workflowPath} requires more params.`, { errors: missing });
  const unknown = autoApproveErrors(params, table);
  if (unknown.length > 0)
    throw new SvcError('invalid', `${workflowPath} lacks a phase that is approved in advance.`, {
      errors: unknown,
    });
  const stuck = stuckPhases(judge, overlay, workflowPath);
  // Last, since it may need a network.
  if (repositories && repo.errors.length === 0)
    repo = { ...repo, errors: await repositories.errors(params) };
  if (stuck.length > 0 || repo.errors.length > 0)
    await refuseToRun(judge, workflowPath, { stuck, repo });
  if (doesNothing(table)) {
    throw new SvcError(
      'cannot-run',
      `A job of ${workflowPath} would do nothing: no phase has an agent or a checkpoint, and it has no sub-runs. Give one of its phases an agent.`,
    );
  }
  return table;
};

/** What can be a name below forges.local.repos. */
const LOCAL_SLUG = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/**
 * A repository of the local forge has a plain name; one of another forge cannot be added by a
 * command.
 */
const repoProblem = (params: Record<string, unknown>, forges: Forges): RepoProblem => {
  const { repoSlug, gitProvider } = params;
  const isLocal =
    typeof repoSlug === 'string' &&
    LOCAL_SLUG.test(repoSlug) &&
    (gitProvider === undefined || gitProvider === LOCAL_FORGE);
  const othersAreKnown = forges
    .all()
    .some((forge) => forge.capabilities.remote || forge.slugs().length > 0);
  return { slug: isLocal ? repoSlug : null, errors: repoErrors(params, forges), othersAreKnown };
};
