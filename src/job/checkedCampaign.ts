import {
  dispatcherId,
  type JobInput,
  newGraph,
  parkPhaseOf,
  subRunRow,
  type SubRunsInput,
  withSpec,
} from '../../machines/index.ts';
import type { Submission } from '../records/changes.ts';
import { SvcError } from '../lib/errors.ts';
import { specHash } from '../lib/specHash.ts';
import type { CreateJobBody } from '../schema/bodies.ts';
import type { Settings } from '../schema/settings.ts';
import type { SubRunInput } from '../schema/subRun.ts';
import type { Coordinator, WorkflowTable } from '../schema/workflow.ts';
import { parallelSubRuns } from './parallelSubRuns.ts';
import { subRunProblems } from './subRunProblems.ts';
import type { CreateJobDeps } from './createJobDeps.ts';

/**
 * The coordinator of a campaign written by hand, with what the request says instead. Throws
 * SvcError `invalid`.
 */
export const checkedCampaign = async (
  { workplace, forges, judge }: CreateJobDeps,
  { subRuns = [], coordinator: said, params, workflowPath }: CreateJobBody,
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
  const effective = { ...coordinator, ...said };
  const parent = { id: 'of this request', params, interactive, coordinator: effective };
  const problems = await subRunProblems(
    { overlay: workplace.overlay, forges, judge },
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
 * A job that begins where it waits for sub-runs, and the dispatcher with their graph: one commit.
 */
export const campaignStart = (
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
      graph: newGraph(subRuns),
      cap: parallelSubRuns(settings, coordinator),
      policy: coordinator.failurePolicy,
    },
  };
  const specs = subRuns.reduce((before, spec) => withSpec(before, spec.name, specHash(spec)), '');
  const phase = parkPhaseOf(input.workflow);
  return {
    starts: [
      {
        chart: 'job',
        id,
        input: { ...input, specs, ...(phase === null ? {} : { beginsIn: phase }) },
      },
      { chart: 'subRuns', id: dispatcherId(id), input: dispatcher },
    ],
    rows: [
      ...rows,
      ...subRuns.map((spec, n) => ({ op: 'put' as const, ...subRunRow(id, n, spec) })),
    ],
    allOrNothing: true,
  };
};
