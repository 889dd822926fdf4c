import type { JobContext } from '../jobContext.ts';
import type { JobEvent, ToolEvent } from '../jobEvents.ts';
import type { WorkflowTable } from '../../../src/contract/schema/workflow/workflow.ts';
import { shorten } from '../../../src/base/text/clip.ts';
import { MAX_PROMPT_CHARS } from '../../../src/base/limits/jobLimits.ts';
import { hasOpenCheckpoint, findPhase } from './phases.ts';

/** The phase in which a coordinating parent waits; null = its workflow does not coordinate. */
export const findParkPhase = ({ coordinator }: WorkflowTable): string | null =>
  coordinator?.enabled === true ? coordinator.parkPhase : null;

export const isInParkPhase = ({
  workflow,
  phase,
}: Pick<JobContext, 'workflow' | 'phase'>): boolean => findParkPhase(workflow) === phase;

/** The job switches to another coordinating workflow, by convert_to_workflow under either name. */
export const isConversion = ({ signals }: Pick<JobContext, 'signals'>): boolean =>
  signals.switch !== null && signals.switch.by !== 'switch_workflow';

type Place = Pick<JobContext, 'workflow' | 'phase'>;

/** The job is in resumePhase or later in workflow order. */
export function isPastResumption({ workflow, phase }: Place): boolean {
  const place = (name: string | null | undefined) =>
    workflow.phases.findIndex((one) => one.name === name);
  return (
    findParkPhase(workflow) !== null && place(phase) >= place(workflow.coordinator?.resumePhase)
  );
}

/** Sub-runs have ended that resumePhase has not processed, or must run again. */
export const hasSubRunsLeft = ({ subRuns }: Pick<JobContext, 'subRuns'>): boolean =>
  subRuns === 'reopened' || subRuns === 'settled';

/**
 * The job can return to waiting for its sub-runs. A phase with a checkpoint is approved first,
 * unless it is resumePhase, which reruns anyway.
 */
export const mayWaitHere = ({
  workflow,
  phase,
  params,
}: Place & Pick<JobContext, 'params'>): boolean =>
  isPastResumption({ workflow, phase }) &&
  (phase === workflow.coordinator?.resumePhase ||
    !hasOpenCheckpoint(findPhase(workflow, phase), params));

/** Why this job may not have sub-runs of its own; empty = it may. */
export function findCoordinatorProblems({
  workflow,
  workflowPath,
  params,
  subRunOf,
}: JobContext): string[] {
  if (workflow.coordinator?.enabled !== true) {
    const block =
      workflow.coordinator === null ? 'has no coordinator block' : 'has coordinator.enabled false';
    return [
      `no permission: ${workflowPath} ${block}; only a workflow with coordinator.enabled true may have sub-runs`,
    ];
  }
  return subRunOf !== null && params.epicAllowed !== true
    ? [
        `no permission: this job is the sub-run ${subRunOf.name} of ${subRunOf.parentJobId}, and params.epicAllowed is not true`,
      ]
    : [];
}

/** Why a call of an orchestration tool is refused now; empty = accepted. */
export function findOrchestrationProblems(context: JobContext, event: ToolEvent): string[] {
  const { subRuns, subRunOf, params, finalizedIn, visit } = context;
  switch (event.type) {
    case 'tool.register_sub_run':
    case 'tool.finalize_sub_runs': {
      const problems = findCoordinatorProblems(context);
      if (problems.length > 0) return problems;
      if (subRuns === 'reopened') {
        return [
          'a sub-run is to run again first: end your turn, the job waits for it and comes back to its resumePhase',
        ];
      }
      if (event.type === 'tool.finalize_sub_runs') {
        if (subRuns === null) return ['no sub-run is registered'];
        return event.specs !== undefined && event.specs !== context.approvals.subRuns
          ? [
              'a sub-run was registered while the others were checked: call finalize_sub_runs once more, after the last registration',
            ]
          : [];
      }
      return finalizedIn === visit
        ? [
            'finalize_sub_runs was already called, so registration is closed and nothing was changed: end your turn',
          ]
        : [];
    }
    case 'tool.sub_run_command':
      return subRuns === null ? ['this job has no sub-runs'] : [];
    case 'tool.convert_to_workflow': {
      const { workflow, workflowPath } = event;
      const target = {
        ...context,
        workflow,
        workflowPath,
        params: subRunOf === null ? {} : params,
      };
      const problems = findCoordinatorProblems(target);
      return subRuns === 'dispatched' || subRuns === 'reopened'
        ? [...problems, 'its sub-runs are in progress']
        : problems;
    }
    default:
      return [];
  }
}

type SettledEvent = Extract<JobEvent, { type: 'subRuns.settled' }>;

export function buildSettledPrompt({ counts, failures, failed }: SettledEvent): string {
  const statusCounts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`);
  const names = failures.map(({ name, status }) => `${name} (${status})`).join(', ');
  const more = failed > failures.length ? ` and ${failed - failures.length} more` : '';
  const without = failed === 0 ? '' : ` Not done: ${names}${more}. sub_run_status says why.`;
  return shorten(
    `All sub-runs have ended: ${statusCounts.join(', ')}.${without}`,
    MAX_PROMPT_CHARS,
  );
}
