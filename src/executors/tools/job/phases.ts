import { SvcError } from '../../../base/errors/errors.ts';
import type { AgentJob } from '../../../contract/job/agentJob.ts';
import type { WorkflowTable } from '../../../contract/schema/workflow/workflow.ts';
import { ToolRefusal } from '../tool.ts';

export const formatPhaseNames = (workflow: WorkflowTable): string =>
  workflow.phases.map(({ name }) => name).join(', ');

/**
 * Refuses a phase that the job's workflow does not have, naming those it has. While the workflow
 * cannot be read, only the chart checks.
 */
export async function checkPhase(port: AgentJob, field: string, phase: string): Promise<void> {
  const path = port.job().workflowPath;
  let workflow: WorkflowTable;
  try {
    workflow = await port.workflow(path);
  } catch {
    return;
  }
  if (workflow.phases.some(({ name }) => name === phase)) return;
  throw new ToolRefusal(
    `"${field}": ${path} has no phase "${phase}". Its phases: ${formatPhaseNames(workflow)}.`,
  );
}

/**
 * The workflow that a tool is asked to switch to. Refuses a missing or invalid one with the reason.
 */
export async function requireUsableWorkflow(
  tool: string,
  port: AgentJob,
  workflowPath: string,
): Promise<WorkflowTable> {
  try {
    return await port.workflow(workflowPath);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const details = error.errors.map(({ pointer, message }) => ` ${pointer}: ${message}`).join(';');
    throw new ToolRefusal(
      `${tool}: nothing was done. ${workflowPath} cannot be used: ${error.message}${details}`,
    );
  }
}
