import type { PhaseDefinition, WorkflowTable } from '../src/contract/schema/workflow/workflow.ts';

export const WORKFLOW_PATH = 'workflows/bench.md';

/** A workflow of `count` phases that differ by nothing but their names. */
export function createPhases(count: number, more: Partial<PhaseDefinition> = {}): WorkflowTable {
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

/** Six phases without an agent, each of which parks for an approval, so no program runs. */
export const PARKING_WORKFLOW = createPhases(6, { agent: null, interactive_checkpoint: true });

/** The same as a file of an overlay, for a runner that reads it again in every phase. */
export const PARKING_WORKFLOW_FILE = `---
initial_phase: phase-1
initial_status: doing-1
phases:
${PARKING_WORKFLOW.phases.map(({ name, status }) => `  - { name: ${name}, agent: null, status: ${status}, interactive_checkpoint: true }`).join('\n')}
---

A workflow of the benches.
`;

export const SPEAKING_WORKFLOW_PATH = 'workflows/speaking.md';

export const SPEAKING_WORKFLOW_FILE = `---
initial_phase: speak
initial_status: speaking
phases:
  - { name: speak, agent: agents/bench.md, status: speaking }
createParams:
  required: []
---

A workflow whose agent speaks.
`;
