import { dispatcherId, type JobInput, parkPhaseOf, subRunRow, type SubRunsInput } from '../../machines/index.ts';
import type { Kernel, Submission } from '../durable/contract.ts';
import type { Workplace } from '../effects/workplace.ts';
import { SvcError } from '../lib/errors.ts';
import type { CreatedJob, CreateJobBody } from '../schema/bodies.ts';
import type { Settings } from '../schema/settings.ts';
import type { SubRunInput } from '../schema/subRun.ts';
import type { Coordinator, WorkflowTable } from '../schema/workflow.ts';
import { type Forges, repoOfParams } from '../scm/forges.ts';
import { parallelSubRuns } from './campaign/parallelSubRuns.ts';
import { subRunProblems } from './campaign/subRunProblems.ts';
import type { RequestKey } from './facade.ts';
import { checkedTable, missingParams, paramErrors } from './jobChecks.ts';
import type { JobIds } from './jobIds.ts';
import { asSvcErrors } from './refusals.ts';
import type { Requests } from './requests.ts';

export interface CreateJobDeps {
  settings: Settings;
  workplace: Workplace;
  kernel: Kernel;
  forges: Forges;
  requests: Requests;
  ids: JobIds;
  now(): number;
}

/** Fresh sessions that an agent may ask for in one phase visit. */
const SESSIONS_PER_VISIT = 10;

/** POST /jobs: everything that can be wrong is said before the job exists; then its start is one commit. */
export const createJobCreator = (deps: CreateJobDeps) => {
  const { settings, kernel, requests, now, ids } = deps;

  const created = (jobId: string): CreatedJob => ({ jobId, status: 'queued', streamUrl: `/jobs/${jobId}/stream` });

  return async (body: CreateJobBody, request?: RequestKey): Promise<CreatedJob> =>
    requests.once(request, created, async (scope) => {
      const workflow = await checkedWorkflow(deps, body);
      const { params, type, workflowPath } = body;
      const interactive = typeof params.interactive === 'boolean' ? params.interactive : settings.coachMode.enabled;
      const coordinator = body.subRuns && (await checkedCampaign(deps, body, workflow, interactive));
      for (;;) {
        const { id, createdAt } = ids.next(params, now());
        const input: JobInput = {
          ...{ id, type, tenantId: settings.tenant.id, workflowPath, workflow, params, interactive, createdAt },
          limits: { gateBlocks: settings.runner.gateBlocks, sessionsPerVisit: SESSIONS_PER_VISIT },
        };
        const rows = scope.claim(id);
        const { started } = await asSvcErrors(id, () =>
          kernel.submit(
            coordinator && body.subRuns
              ? campaignStart(settings, input, coordinator, body.subRuns, rows)
              : { starts: [{ chart: 'job', id, input }], rows, allOrNothing: true },
          ),
        );
        if (started[0]?.created) return created(id);
      }
    });
};

const checkedWorkflow = async ({ workplace, forges }: CreateJobDeps, { workflowPath, params }: CreateJobBody) => {
  const errors = paramErrors(params, forges);
  if (errors.length > 0) throw new SvcError('invalid', 'The params of the job are not valid.', { errors });
  const { overlay } = await workplace.overlay(repoOfParams(params));
  const table = checkedTable(overlay, workflowPath);
  const missing = missingParams(overlay, workflowPath, params);
  if (missing.length > 0) throw new SvcError('invalid', `${workflowPath} needs more params.`, { errors: missing });
  return table;
};

/** The coordinator of a campaign written by hand, with what the request says instead. Throws SvcError `invalid`. */
const checkedCampaign = async (
  { workplace, forges }: CreateJobDeps,
  { subRuns = [], coordinator: said, params, workflowPath }: CreateJobBody,
  { coordinator }: WorkflowTable,
  interactive: boolean,
): Promise<Coordinator> => {
  if (coordinator?.enabled !== true) {
    const errors = [{ pointer: '/subRuns', message: `${workflowPath} has no coordinator block with enabled true` }];
    throw new SvcError('invalid', 'Only a workflow that coordinates may have sub-runs.', { errors });
  }
  const effective = { ...coordinator, ...said };
  const parent = { id: 'of this request', params, interactive, coordinator: effective };
  const problems = await subRunProblems({ overlay: workplace.overlay, forges }, parent, subRuns);
  if (problems.length > 0) {
    const errors = problems.map(({ name, message }) => ({
      pointer: name === null ? '/subRuns' : `/subRuns/${subRuns.findIndex((spec) => spec.name === name)}`,
      message: name === null ? message : `${name}: ${message}`,
    }));
    throw new SvcError('invalid', `The sub-runs cannot be run: ${errors.map(({ message }) => message).join('; ')}.`, { errors });
  }
  return effective;
};

/** A job that begins where it waits for sub-runs, and the dispatcher with their graph: one commit. */
const campaignStart = (
  settings: Settings,
  input: JobInput,
  coordinator: Coordinator,
  subRuns: readonly SubRunInput[],
  rows: Submission['rows'] = [],
): Submission => {
  const { id, createdAt, interactive } = input;
  const dispatcher: SubRunsInput = {
    ...{ parentJobId: id, attended: interactive, createdAt },
    finalized: {
      graph: {
        names: subRuns.map(({ name }) => name),
        dependsOn: subRuns.map(({ dependsOn = [] }) => dependsOn),
        marks: 'p'.repeat(subRuns.length),
        attempts: subRuns.map(() => 1),
      },
      cap: parallelSubRuns(settings, coordinator),
      policy: coordinator.failurePolicy,
    },
  };
  const phase = parkPhaseOf(input.workflow);
  return {
    starts: [
      { chart: 'job', id, input: { ...input, ...(phase === null ? {} : { beginsIn: phase }) } },
      { chart: 'subRuns', id: dispatcherId(id), input: dispatcher },
    ],
    rows: [...rows, ...subRuns.map((spec, n) => ({ op: 'put' as const, ...subRunRow(id, n, spec) }))],
    allOrNothing: true,
  };
};
