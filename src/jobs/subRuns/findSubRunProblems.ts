import { findGraphProblems } from '../../../machines/index.ts';
import type { ResolvedOverlay } from '../workspace/jobOverlays.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { SubRunInput } from '../../contract/schema/job/subRun.ts';
import { type Forges, type JobRepo, readJobRepo } from '../../providers/forges.ts';
import { findStuckPhases, describeStuckPhases } from '../../workflows/overlay/findStuckPhases.ts';
import type { RunAdvisor } from '../create/refuseToRun.ts';
import {
  requireRunnableTable,
  findMissingParams,
  findParamErrors,
  findRepoErrors,
  findParamTypeErrors,
} from '../create/jobChecks.ts';
import {
  type ParentOfSubRuns,
  buildSubRunParams,
  resolveSubRunWorkflow,
} from './buildSubRunParams.ts';

export interface SubRunProblemsDeps {
  overlay(repo: JobRepo | null): Promise<ResolvedOverlay>;
  forges: Forges;
  runAdvisor: RunAdvisor;
}

/** Why a sub-run, or the graph (`name` null), cannot run. */
export interface SubRunProblem {
  name: string | null;
  message: string;
}

/**
 * Everything that prevents registered sub-runs from running: cycles, unknown names, unknown
 * workflows and lanes, missing params, depth (SUB-1, SUB-8).
 */
export async function findSubRunProblems(
  { overlay, forges, runAdvisor }: SubRunProblemsDeps,
  parent: ParentOfSubRuns,
  specs: readonly SubRunInput[],
): Promise<SubRunProblem[]> {
  const names = specs.map(({ name }) => name);
  const twice = names.filter((name, n) => names.indexOf(name) !== n);
  const graph = { names, dependsOn: specs.map(({ dependsOn = [] }) => dependsOn) };
  const problems: SubRunProblem[] = [
    ...[...new Set(twice)].map((name) => ({ name, message: 'is given more than once' })),
    ...findGraphProblems(graph).map((message) => ({ name: null, message })),
  ];
  const overlays = new Map<string, Promise<ResolvedOverlay>>();
  for (const spec of specs) {
    const params = buildSubRunParams(parent, spec);
    const repo = readJobRepo(params);
    const key = JSON.stringify(repo);
    const resolved = overlays.get(key) ?? overlay(repo);
    overlays.set(key, resolved);
    // Inherited params were checked when the parent was created; a job of an earlier release keeps
    // its params.
    const types = findParamTypeErrors({
      ...parent.coordinator.subRunParamsDefault,
      ...spec.params,
    });
    const messages = await findSpecProblems(parent, params, await resolved, { forges, runAdvisor });
    const wrong = types.map(
      ({ pointer, message }) => `${pointer.slice(1).replaceAll('/', '.')} ${message}`,
    );
    problems.push(...[...wrong, ...messages].map((message) => ({ name: spec.name, message })));
  }
  return problems;
}

async function findSpecProblems(
  parent: ParentOfSubRuns,
  { parentJobId: _, ...params }: Record<string, unknown>,
  { overlay }: ResolvedOverlay,
  { forges, runAdvisor }: { forges: Forges; runAdvisor: RunAdvisor },
): Promise<string[]> {
  const wrong = [...findParamErrors(params), ...findRepoErrors(params, forges)].map(
    ({ pointer, message }) => `${pointer.slice(1).replaceAll('/', '.')} ${message}`,
  );
  const workflow = resolveSubRunWorkflow(overlay, parent, params);
  if ('problem' in workflow) return [...wrong, workflow.problem];
  try {
    const table = requireRunnableTable(overlay, workflow.path);
    if (table.coordinator?.enabled === true && params.epicAllowed !== true) {
      wrong.push(
        `${workflow.path} coordinates its own sub-runs, which requires params.epicAllowed: true`,
      );
    }
    wrong.push(
      ...describeStuckPhases(findStuckPhases(runAdvisor, overlay, workflow.path), workflow.path),
    );
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    wrong.push(error.message);
  }
  const missing = findMissingParams(overlay, workflow.path, params).map(({ pointer }) =>
    pointer.replace('/params/', ''),
  );
  if (missing.length > 0) wrong.push(`${workflow.path} needs ${missing.join(', ')}`);
  return wrong;
}
