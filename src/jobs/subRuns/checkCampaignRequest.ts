import {
  toDispatcherId,
  type JobInput,
  createGraph,
  findParkPhase,
  toSubRunRow,
  type SubRunsInput,
  addSpecToHash,
} from '../../../machines/index.ts';
import type { Submission } from '../../contract/records/changes.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { hashSubRunSpec } from '../../base/system/ids/hashSubRunSpec.ts';
import type { CreateJobBody } from '../../contract/schema/api/bodies.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { SubRunInput } from '../../contract/schema/job/subRun.ts';
import type { Coordinator, WorkflowTable } from '../../contract/schema/workflow/workflow.ts';
import { resolveParallelSubRuns } from './resolveParallelSubRuns.ts';
import { findSubRunProblems } from './findSubRunProblems.ts';
import type { CreateJobDeps } from '../create/createJobDeps.ts';

/**
 * The coordinator of a campaign written by hand, with the overrides of the request. Throws SvcError
 * `invalid`.
 */
export const checkCampaignRequest = async (
  { workplace, forges, runAdvisor }: CreateJobDeps,
  { subRuns = [], coordinator: coordinatorSettings, params, workflowPath }: CreateJobBody,
  { coordinator }: WorkflowTable,
  interactive: boolean,
): Promise<Coordinator> => {
  if (coordinator?.enabled !== true) {
    const errors = [
      {
        pointer: '/subRuns',
        message: `${workflowPath} has no coordinator block with enabled: true`,
      },
    ];
    throw new SvcError('invalid', 'Only a coordinating workflow can have sub-runs.', {
      errors,
    });
  }
  const effective = { ...coordinator, ...coordinatorSettings };
  const parent = { id: 'of this request', params, interactive, coordinator: effective };
  const problems = await findSubRunProblems(
    { overlay: workplace.overlay, forges, runAdvisor },
    parent,
    subRuns,
  );
  if (problems.length > 0) {
    const errors = problems.map(({ name, message }) => ({
      pointer:
        name === null ? '/subRuns' : `/subRuns/${subRuns.findIndex((spec) => spec.name === name)}`,
      message: name === null ? message : `${name}: ${message}`,
    }));
    throw new SvcError(
      'invalid',
      `The sub-runs cannot run: ${errors.map(({ message }) => message).join('; ')}.`,
      { errors },
    );
  }
  return effective;
};

/**
 * Submits, in one commit, a job that begins by waiting for sub-runs, and the dispatcher with their
 * graph.
 */
export const buildCampaignSubmission = (
  settings: Settings,
  input: JobInput,
  coordinator: Coordinator,
  subRuns: readonly SubRunInput[],
  rows: Submission['rows'] = [],
): Submission => {
  const { id, createdAt } = input;
  const dispatcher: SubRunsInput = {
    parentJobId: id,
    createdAt,
    finalized: {
      graph: createGraph(subRuns),
      cap: resolveParallelSubRuns(settings, coordinator),
      policy: coordinator.failurePolicy,
    },
  };
  const specs = subRuns.reduce(
    (before, spec) => addSpecToHash(before, spec.name, hashSubRunSpec(spec)),
    '',
  );
  const phase = findParkPhase(input.workflow);
  return {
    starts: [
      {
        chart: 'job',
        id,
        input: { ...input, specs, ...(phase === null ? {} : { beginsIn: phase }) },
      },
      { chart: 'subRuns', id: toDispatcherId(id), input: dispatcher },
    ],
    rows: [
      ...rows,
      ...subRuns.map((spec, n) => ({ op: 'put' as const, ...toSubRunRow(id, n, spec) })),
    ],
    allOrNothing: true,
  };
};
