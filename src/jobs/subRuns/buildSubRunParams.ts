import type { OpenOverlay } from '../../workflows/overlay/openOverlay.ts';
import { expandEveryPhase } from '../../contract/schema/job/jobParams.ts';
import type { SubRunInput } from '../../contract/schema/job/subRun.ts';
import type { Coordinator } from '../../contract/schema/workflow/workflow.ts';

export interface ParentOfSubRuns {
  id: string;
  params: Record<string, unknown>;
  interactive: boolean;
  coordinator: Coordinator;
}

/** Params of the parent that a sub-run inherits, unless it has its own. */
const INHERITED = ['repoSlug', 'gitProvider', 'language', 'reviewers'];

/**
 * Params of a sub-run's job: the workflow's defaults, those of the spec, and the parent's (SUB-3).
 * The description comes from the spec. Repository, forge, language and reviewers come from the
 * parent, unless the spec has its own.
 */
export const buildSubRunParams = (
  parent: ParentOfSubRuns,
  {
    description,
    params = {},
    trackerRef,
  }: Pick<SubRunInput, 'description' | 'params' | 'trackerRef'>,
): Record<string, unknown> => {
  // A sub-run may work unattended exactly as long as its parent, whatever the spec says.
  const { unattended: _, ...own } = { ...parent.coordinator.subRunParamsDefault, ...params };
  const { unattended } = parent.params;
  return expandEveryPhase({
    ...Object.fromEntries(
      INHERITED.flatMap((name) => (name in parent.params ? [[name, parent.params[name]]] : [])),
    ),
    description,
    ...(trackerRef === undefined ? {} : { trackerRef }),
    ...own,
    ...(unattended === undefined ? {} : { unattended }),
    parentJobId: parent.id,
  });
};

/**
 * The workflow of a sub-run: the one that `params.lane` names by its id, else the coordinator's.
 * Null with the reason if none is found.
 */
export function resolveSubRunWorkflow(
  overlay: OpenOverlay,
  { coordinator }: ParentOfSubRuns,
  params: Record<string, unknown>,
): { path: string } | { problem: string } {
  const { lane } = params;
  if (lane !== undefined) {
    const { workflows } = overlay.workflows();
    const discoveredWorkflow = workflows.find(({ id }) => id === lane);
    return discoveredWorkflow
      ? { path: discoveredWorkflow.workflowPath }
      : {
          problem: `no workflow has the id ${String(lane)} (params.lane); known: ${workflows.map(({ id }) => id).join(', ')}`,
        };
  }
  const path = coordinator.subRunWorkflowPath ?? '';
  return overlay.has(path)
    ? { path }
    : { problem: `the workflow ${path} does not exist (coordinator.subRunWorkflowPath)` };
}
