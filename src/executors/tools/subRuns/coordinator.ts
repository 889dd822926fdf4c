import type { AgentJob } from '../../../contract/job/agentJob.ts';
import type { WorkflowTable } from '../../../contract/schema/workflow/workflow.ts';
import { ToolRefusal } from '../tool.ts';

/** Why a workflow cannot have sub-runs, citing its coordinator block; null = it can. */
export function explainNotCoordinating(
  workflowPath: string,
  { coordinator }: WorkflowTable,
): string | null {
  if (coordinator?.enabled === true) return null;
  const block =
    coordinator === null ? 'has no coordinator block' : 'has coordinator.enabled: false';
  return `${workflowPath} ${block}; only a workflow with coordinator.enabled: true may have sub-runs`;
}

/**
 * Why this job may not have sub-runs; null = it may, or its workflow cannot be read now, and then
 * only the chart checks.
 */
export async function explainCoordinatorProblem(port: AgentJob): Promise<string | null> {
  const path = port.job().workflowPath;
  let workflow: WorkflowTable;
  try {
    workflow = await port.workflow(path);
  } catch {
    return null;
  }
  return explainNotCoordinating(path, workflow);
}

export async function requireCoordinator(tool: string, port: AgentJob): Promise<void> {
  const problem = await explainCoordinatorProblem(port);
  if (problem !== null) throw createPermissionRefusal(tool, problem);
}

export const createPermissionRefusal = (tool: string, problem: string): ToolRefusal =>
  new ToolRefusal(
    `${tool}: no permission, nothing was done. ${problem}. Use convert_to_workflow to continue with a workflow that may, such as workflows/campaign.md.`,
  );
