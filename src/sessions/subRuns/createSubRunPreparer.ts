import {
  findParkPhase,
  type JobContext,
  type JobInput,
  type SubRunsPorts,
} from '../../../machines/index.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { PreparedSubRun } from './dispatchSubRun.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Insight } from '../../contract/schema/job/job.ts';
import type { Forges } from '../../providers/forges.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import { findMissingParams, findParamErrors, findRepoErrors } from '../../jobs/create/jobChecks.ts';
import type { CreateJobDeps } from '../../jobs/create/createJobDeps.ts';
import { refuseUnenforced, type Enforcement } from '../../jobs/terms/enforcement.ts';
import { refuseByRule } from '../../policy/guardrails/startGuard.ts';
import type { JobIds } from '../../jobs/create/jobIds.ts';
import type { KnownRepositories } from '../../jobs/create/knownRepositories.ts';
import { resolveTicketKey, type TicketAtDeps } from '../../jobs/tickets/resolveTicketKey.ts';
import { mergeForwardedInsights } from '../../jobs/views/mergeForwardedInsights.ts';
import { buildSubRunParams, type ParentOfSubRuns } from '../../jobs/subRuns/buildSubRunParams.ts';
import {
  isInSameRepo,
  readSubRunLayers,
  toRepairable,
  type SubRunLayersDeps,
} from './readSubRunLayers.ts';
import { findSubRunSpec, listSubRunSpecs } from '../../jobs/views/listSubRunSpecs.ts';
import { bindToInvariants } from '../../workflows/definition/invariants/bindToInvariants.ts';
import type { Invariant } from '../../base/invariants/invariant.ts';
import type { WorkflowTable } from '../../contract/schema/workflow/workflow.ts';

/**
 * The workflow of a sub-run with the invariants of its parent. Throws SvcError `workflow-invalid`
 * if no job of it could keep them.
 */
export function inheritInvariants(
  workflowPath: string,
  table: WorkflowTable,
  ofParent: readonly Invariant[] | undefined,
): WorkflowTable {
  const boundTable = bindToInvariants(table, ofParent);
  if (boundTable.problem === null) return boundTable.table;
  throw new SvcError('workflow-invalid', `${workflowPath} cannot be used: ${boundTable.problem}.`);
}

export interface SubRunJobDeps extends TicketAtDeps, SubRunLayersDeps {
  rows: RowReader;
  forges: Forges;
  repositories: Pick<KnownRepositories, 'errors'>;
  ids: JobIds;
  guardrails: CreateJobDeps['guardrails'];
  enforcement: Pick<Enforcement, 'phases'>;
  now(): number;
  readContext(jobId: string): JobContext;
  insights(jobId: string): Insight[];
}

/** Throws SvcError if its workflow does not coordinate. */
export const toSubRunParent = ({
  id,
  params,
  interactive,
  workflow,
  workflowPath,
}: JobContext): ParentOfSubRuns => {
  if (workflow.coordinator === null || findParkPhase(workflow) === null) {
    throw new SvcError(
      'not-possible-now',
      `${workflowPath} has no coordinator block with enabled: true.`,
    );
  }
  return { id, params, interactive, coordinator: workflow.coordinator };
};

/**
 * Makes the job of a sub-run: its current workflow, its params, and the insights of its siblings.
 * Throws SvcError, `isRepairable` if a person can repair the cause.
 */
export const createSubRunPreparer =
  (deps: SubRunJobDeps) =>
  async ({
    parentJobId,
    name,
    attempt,
  }: SubRunsPorts['subRun.dispatch']): Promise<PreparedSubRun> => {
    const context = deps.readContext(parentJobId);
    const parent = toSubRunParent(context);
    const spec = findSubRunSpec(deps.rows, parentJobId, name);
    if (!spec) throw new SvcError('not-found', `${parentJobId} has no sub-run ${name}.`);
    const { trackerRef, ...rest } = spec;
    const params = await resolveTicketKey(
      deps,
      buildSubRunParams(parent, trackerRef === null ? rest : { ...rest, trackerRef }),
    );
    const { parentJobId: _, ...outside } = params;
    const subRunLayers = await readSubRunLayers(deps, parent, params);
    const noForge = findRepoErrors(outside, deps.forges);
    // Now instead of at registration: an earlier sub-run may have created the repository.
    const wrongRepo = noForge.length > 0 ? noForge : await deps.repositories.errors(outside);
    const wrong = [
      ...findParamErrors(outside),
      ...findMissingParams(subRunLayers.overlay, subRunLayers.path, params),
    ];
    const errors = [...wrong, ...wrongRepo];
    if (errors.length > 0) {
      const what = `The params of the sub-run ${name} are not valid.`;
      const refusal = new SvcError('invalid', what, { errors });
      // The repository of its parent existed, so it will come back.
      const isGone = wrong.length === 0 && isInSameRepo(params, parent.params);
      throw isGone ? toRepairable(refusal) : refusal;
    }
    const workflow = inheritInvariants(
      subRunLayers.path,
      subRunLayers.table,
      context.workflow.invariants,
    );
    const interactive =
      typeof params.interactive === 'boolean' ? params.interactive : parent.interactive;
    if (params.unattended !== undefined) {
      const job = { workflowPath: subRunLayers.path, workflow, params, interactive };
      refuseUnenforced(deps.enforcement.phases(job), context.workflowPath);
    }
    await refuseByRule(
      deps,
      { workflowPath: subRunLayers.path, workflow, params, interactive },
      'sub-run',
    );
    const { id, createdAt } = deps.ids.next(params, deps.now());
    const input: JobInput = {
      id,
      type: context.type === 'campaign' ? 'sub-run' : context.type,
      tenantId: context.tenantId,
      workflowPath: subRunLayers.path,
      workflow,
      params,
      interactive,
      limits: context.limits,
      createdAt,
      subRunOf: { parentJobId, name, attempt },
    };
    return {
      jobId: id,
      input,
      rows: parent.coordinator.forwardSiblingInsights
        ? collectSiblingInsights(deps, parentJobId, name, id)
        : [],
    };
  };

/** The insights of ended siblings, as rows of the new job. */
const collectSiblingInsights = (
  { rows, insights }: SubRunJobDeps,
  parentJobId: string,
  name: string,
  jobId: string,
): RowChange[] => {
  const siblings = listSubRunSpecs(rows, parentJobId).filter(
    (sibling) => sibling.name !== name && sibling.jobId !== null && sibling.completedAt !== null,
  );
  const owners = new Map<string, string>();
  const lists = siblings.map((sibling) => {
    const list = insights(sibling.jobId ?? '');
    for (const { id } of list) owners.set(id, sibling.name);
    return list;
  });
  return mergeForwardedInsights(lists).map(({ id, at, phase, category, text }, n) => ({
    op: 'put',
    table: 'sibling_insights',
    row: {
      job_id: jobId,
      n,
      sub_run: owners.get(id) ?? '',
      id,
      at: Date.parse(at),
      phase,
      category,
      text,
    },
  }));
};
