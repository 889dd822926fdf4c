import type {
  PhaseDefinition,
  WorkflowTable,
} from '../../../src/contract/schema/workflow/workflow.ts';

/** The phase with this name. */
export const findPhase = (workflow: WorkflowTable, name: string): PhaseDefinition | undefined =>
  workflow.phases.find((phase) => phase.name === name);

const findPhaseIndex = (workflow: WorkflowTable, name: string): number =>
  workflow.phases.findIndex((phase) => phase.name === name);

/**
 * The phase after that one in the workflow's order; undefined after the last, and for a phase that
 * the workflow does not have.
 */
export function findNextPhase(workflow: WorkflowTable, name: string): PhaseDefinition | undefined {
  const index = findPhaseIndex(workflow, name);
  return index < 0 ? undefined : workflow.phases[index + 1];
}

/** True when `target` is `from` or comes before it. */
export const isBackwardStep = (workflow: WorkflowTable, from: string, target: string): boolean =>
  findPhaseIndex(workflow, target) <= findPhaseIndex(workflow, from);

/**
 * The status that a visit of the phase shows: `initial_status` for a job that begins in its initial
 * phase, else the phase's own.
 */
export function deriveVisitStatus(workflow: WorkflowTable, name: string, visit: number): string {
  if (visit === 1 && name === workflow.initial_phase) return workflow.initial_status;
  return findPhase(workflow, name)?.status ?? name;
}

/**
 * The phase whose agent reads a message that arrives while `name` is current: that phase or, if it
 * has no agent, the nearest earlier one that has. Undefined if no agent could read it: the job
 * would loop forever.
 */
export function findReadingPhase(
  workflow: WorkflowTable,
  name: string,
): PhaseDefinition | undefined {
  return workflow.phases
    .slice(0, findPhaseIndex(workflow, name) + 1)
    .findLast(({ agent }) => agent !== null);
}

/**
 * True when params.autoApprove (a phase's name, a list of names, or true for all) lets the phase's
 * checkpoint pass.
 */
export function isAutoApproved(params: Record<string, unknown>, name: string): boolean {
  const { autoApprove } = params;
  return (
    autoApprove === true ||
    autoApprove === name ||
    (Array.isArray(autoApprove) && autoApprove.includes(name))
  );
}

/**
 * Whether the phase's end waits for a person. A checkpoint always does, unless it was approved
 * before.
 */
export const hasOpenCheckpoint = (
  phase: PhaseDefinition | undefined,
  params: Record<string, unknown>,
): boolean => phase?.interactive_checkpoint === true && !isAutoApproved(params, phase.name);

/**
 * The status that is shown while the end of a phase waits for approval: planning has one of its
 * own.
 */
export const toApprovalStatus = (status: string): string =>
  status === 'planning' ? 'awaiting-plan-approval' : status;
