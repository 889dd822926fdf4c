import { hasOpenCheckpoint } from '../../../machines/index.ts';
import type { FailurePolicy, WorkflowTable } from '../../contract/schema/workflow/workflow.ts';

/** A new job as far as it can need a person who may not be there. */
interface StartedJob {
  interactive: boolean;
  workflowPath: string;
  workflow: WorkflowTable;
  params: Record<string, unknown>;
  /** The phase that it begins in, or is in. */
  phase: string;
  /** Of its sub-runs, where the request says something else than the workflow. */
  failurePolicy?: FailurePolicy | undefined;
}

const formatApproveOptions = (names: readonly string[]): string =>
  names.map((name) => `--approve ${name}`).join(' ');

/** Checkpoints that will hold a job although no one follows it. */
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

/** What the person who starts a job should know before it runs, a sentence each. */
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
