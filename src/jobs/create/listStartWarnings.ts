import { hasOpenCheckpoint } from '../../../machines/index.ts';
import type { FailurePolicy, WorkflowTable } from '../../contract/schema/workflow/workflow.ts';

/** The properties of a new job that can require an absent person. */
interface StartedJob {
  interactive: boolean;
  workflowPath: string;
  workflow: WorkflowTable;
  params: Record<string, unknown>;
  phase: string;
  /** For its sub-runs, where the request overrides the workflow. */
  failurePolicy?: FailurePolicy | undefined;
}

const formatApproveOptions = (names: readonly string[]): string =>
  names.map((name) => `--approve ${name}`).join(' ');

/** Checkpoints at which the job will stop although no one watches it. */
function listCheckpointWarnings({ workflow, params, phase: begin }: StartedJob): string[] {
  const ahead = workflow.phases.slice(
    Math.max(
      0,
      workflow.phases.findIndex(({ name }) => name === begin),
    ),
  );
  const held = ahead.filter((one) => hasOpenCheckpoint(one, params)).map(({ name }) => name);
  return held.length === 0
    ? []
    : [
        `The job is not interactive, but it will wait for an approval at the end of ${held.join(', ')}. To approve in advance: ${formatApproveOptions(held)} or --approve all (params.autoApprove).`,
      ];
}

/** What the person who starts a job should know first, one sentence each. */
export function listStartWarnings(started: StartedJob): string[] {
  const { interactive, workflowPath, workflow, failurePolicy } = started;
  const { coordinator } = workflow;
  if (interactive) return [];
  const held = listCheckpointWarnings(started);
  if (coordinator?.enabled !== true) return held;
  const policy = failurePolicy ?? coordinator.failurePolicy;
  return policy === 'halt-on-failure'
    ? [
        ...held,
        `The job runs without people, but ${failurePolicy === undefined ? workflowPath : 'the campaign'} has failurePolicy: halt-on-failure: when a sub-run fails, the others wait until a person decides. Use failurePolicy: continue to proceed without the failed one.`,
      ]
    : held;
}
