import type { JobPort } from '../schema/jobPort.ts';
import type { WorkflowTable } from '../schema/workflow.ts';
import { ToolRefusal } from './tool.ts';

export const phaseNames = (workflow: WorkflowTable): string => workflow.phases.map(({ name }) => name).join(', ');

/**
 * Refuses a phase that the job's workflow does not have, naming those it has. Where the workflow cannot be read just
 * now the chart judges alone.
 */
export async function checkPhase(port: JobPort, field: string, phase: string): Promise<void> {
  const path = port.job().workflowPath;
  let workflow: WorkflowTable;
  try {
    workflow = await port.workflow(path);
  } catch {
    return;
  }
  if (workflow.phases.some(({ name }) => name === phase)) return;
  throw new ToolRefusal(`"${field}": ${path} has no phase "${phase}". Its phases: ${phaseNames(workflow)}.`);
}
