import type { PhaseDefinition, WorkflowTable } from '../src/schema/workflow.ts';

/** Path under which the workflow stands in jobs and, where one reads it, in the overlay. */
export const WORKFLOW_PATH = 'workflows/bench.md';

/** A workflow of `count` phases that differ by nothing but their names. */
export function phasesOf(count: number, more: Partial<PhaseDefinition> = {}): WorkflowTable {
  const phases = Array.from({ length: count }, (_, n) => ({
    name: `phase-${n + 1}`,
    agent: 'agents/bench.md',
    model: null,
    status: `doing-${n + 1}`,
    interactive_checkpoint: false,
    provider: null,
    obligations: null,
    ...more,
  }));
  return { initial_phase: 'phase-1', initial_status: 'doing-1', phases, coordinator: null };
}
