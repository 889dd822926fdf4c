import { graphProblems } from '../../machines/index.ts';
import type { ResolvedOverlay } from '../workplace/jobOverlays.ts';
import { SvcError } from '../lib/errors.ts';
import type { SubRunInput } from '../schema/subRun.ts';
import { type Forges, type JobRepo, repoOfParams } from '../providers/forges.ts';
import { stuckPhases, stuckSentences } from '../authoring/overlay/stuckPhases.ts';
import type { RunJudge } from './cannotRun.ts';
import { checkedTable, missingParams, paramErrors, repoErrors, typeErrors } from './jobChecks.ts';
import { type ParentOfSubRuns, subRunParams, subRunWorkflow } from './subRunParams.ts';

export interface SubRunProblemsDeps {
  overlay(repo: JobRepo | null): Promise<ResolvedOverlay>;
  forges: Forges;
  /** Says which phases cannot run. */
  judge: RunJudge;
}

/** A sub-run that cannot be run as it is, or the graph (`name` null). */
export interface SubRunProblem {
  name: string | null;
  message: string;
}

/**
 * Everything that would keep registered sub-runs from being run, all at once: cycles, unknown
 * names, unknown workflows and lanes, missing params, depth (SUB-1, SUB-8).
 */
export async function subRunProblems(
  { overlay, forges, judge }: SubRunProblemsDeps,
  parent: ParentOfSubRuns,
  specs: readonly SubRunInput[],
): Promise<SubRunProblem[]> {
  const names = specs.map(({ name }) => name);
  const twice = names.filter((name, n) => names.indexOf(name) !== n);
  const graph = { names, dependsOn: specs.map(({ dependsOn = [] }) => dependsOn) };
  const problems: SubRunProblem[] = [
    ...[...new Set(twice)].map((name) => ({ name, message: 'is given more than once' })),
    ...graphProblems(graph).map((message) => ({ name: null, message })),
  ];
  const overlays = new Map<string, Promise<ResolvedOverlay>>();
  for (const spec of specs) {
    const params = subRunParams(parent, spec);
    const repo = repoOfParams(params);
    const key = JSON.stringify(repo);
    const resolved = overlays.get(key) ?? overlay(repo);
    overlays.set(key, resolved);
    // What the parent hands on was checked when it was created; a job of an earlier release keeps
    // what it has.
    const types = typeErrors({ ...parent.coordinator.subRunParamsDefault, ...spec.params });
    const messages = await ownProblems(parent, params, await resolved, { forges, judge });
    const wrong = types.map(
      ({ pointer, message }) => `${pointer.slice(1).replaceAll('/', '.')} ${message}`,
    );
    problems.push(...[...wrong, ...messages].map((message) => ({ name: spec.name, message })));
  }
  return problems;
}

async function ownProblems(
  parent: ParentOfSubRuns,
  { parentJobId: _, ...params }: Record<string, unknown>,
  { overlay }: ResolvedOverlay,
  { forges, judge }: { forges: Forges; judge: RunJudge },
): Promise<string[]> {
  const wrong = [...paramErrors(params), ...repoErrors(params, forges)].map(
    ({ pointer, message }) => `${pointer.slice(1).replaceAll('/', '.')} ${message}`,
  );
  const workflow = subRunWorkflow(overlay, parent, params);
  if ('problem' in workflow) return [...wrong, workflow.problem];
  try {
    const table = checkedTable(overlay, workflow.path);
    if (table.coordinator?.enabled === true && params.epicAllowed !== true) {
      wrong.push(
        `${workflow.path} coordinates sub-runs of its own, which needs params.epicAllowed true`,
      );
    }
    wrong.push(...stuckSentences(stuckPhases(judge, overlay, workflow.path), workflow.path));
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    wrong.push(error.message);
  }
  const missing = missingParams(overlay, workflow.path, params).map(({ pointer }) =>
    pointer.replace('/params/', ''),
  );
  if (missing.length > 0) wrong.push(`${workflow.path} needs ${missing.join(', ')}`);
  return wrong;
}
