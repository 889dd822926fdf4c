import type {
  PhaseDefinition,
  WorkflowTable,
} from '../../../src/contract/schema/workflow/workflow.ts';

export const findPhase = (workflow: WorkflowTable, name: string): PhaseDefinition | undefined =>
  workflow.phases.find((phase) => phase.name === name);

const findPhaseIndex = (workflow: WorkflowTable, name: string): number =>
  workflow.phases.findIndex((phase) => phase.name === name);

/** The next phase in workflow order; undefined after the last, and for an unknown phase. */
export function findNextPhase(workflow: WorkflowTable, name: string): PhaseDefinition | undefined {
  const index = findPhaseIndex(workflow, name);
  return index < 0 ? undefined : workflow.phases[index + 1];
}

/** True when `target` is `from` or comes before it. */
export const isBackwardStep = (workflow: WorkflowTable, from: string, target: string): boolean =>
  findPhaseIndex(workflow, target) <= findPhaseIndex(workflow, from);

/** `initial_status` for a job that begins in its initial phase, else the phase's own status. */
export function deriveVisitStatus(workflow: WorkflowTable, name: string, visit: number): string {
  if (visit === 1 && name === workflow.initial_phase) return workflow.initial_status;
  return findPhase(workflow, name)?.status ?? name;
}

/**
 * The phase whose agent reads a message that arrives during `name`: the phase itself or the nearest
 * earlier one with an agent. Undefined if none exists, which would loop forever.
 */
export function findReadingPhase(
  workflow: WorkflowTable,
  name: string,
): PhaseDefinition | undefined {
  return workflow.phases
    .slice(0, findPhaseIndex(workflow, name) + 1)
    .findLast(({ agent }) => agent !== null);
}

/** Whether params.autoApprove (a phase name, a list, or true for all) passes the checkpoint. */
export function isAutoApproved(params: Record<string, unknown>, name: string): boolean {
  const { autoApprove } = params;
  return (
    autoApprove === true ||
    autoApprove === name ||
    (Array.isArray(autoApprove) && autoApprove.includes(name))
  );
}

/** Whether the phase's end waits for a person: it has a checkpoint that is not yet approved. */
export const hasOpenCheckpoint = (
  phase: PhaseDefinition | undefined,
  params: Record<string, unknown>,
): boolean => phase?.interactive_checkpoint === true && !isAutoApproved(params, phase.name);

/** The status shown while a phase waits for approval; planning has its own. */
export const toApprovalStatus = (status: string): string =>
  status === 'planning' ? 'awaiting-plan-approval' : status;
