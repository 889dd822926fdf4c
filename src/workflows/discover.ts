import type { Diagnostic } from '../schema/diagnostic.ts';
import type { Settings } from '../schema/settings.ts';
import type { PhaseDefinition, WorkflowEntry } from '../schema/workflow.ts';
import type { ParsedWorkflow } from './parseWorkflow.ts';
import { phaseModel } from './phaseModel.ts';

/** A workflow that can be started, its phases as they are declared. */
export type DiscoveredWorkflow = Omit<WorkflowEntry, 'phases'> & { phases: readonly PhaseDefinition[] };

export interface Discovered {
  /** Workflows that can be started, by path. */
  workflows: DiscoveredWorkflow[];
  /** What is wrong with those that are left out, and the warnings of the others. */
  diagnostics: Diagnostic[];
}

/** The workflows of an overlay. One broken workflow never hides the others. */
export function discoverWorkflows(parsed: readonly ParsedWorkflow[]): Discovered {
  const workflows: DiscoveredWorkflow[] = [];
  for (const { file, table, meta } of parsed) {
    if (!table) continue;
    const { coordinator } = table;
    workflows.push({
      ...meta,
      workflowPath: file,
      phases: table.phases,
      coordinator: coordinator && {
        subRunWorkflowPath: coordinator.subRunWorkflowPath,
        maxParallelSubRuns: coordinator.maxParallelSubRuns,
        failurePolicy: coordinator.failurePolicy,
      },
    });
  }
  workflows.sort((a, b) => (a.workflowPath < b.workflowPath ? -1 : 1));
  return { workflows, diagnostics: parsed.flatMap((one) => one.diagnostics) };
}

/** Entry of GET /workflows: each phase with who would run it by the present settings. */
export const entryOf = (found: DiscoveredWorkflow, llm: Settings['llm']): WorkflowEntry => ({
  ...found,
  phases: found.phases.map((phase) => ({
    ...{ name: phase.name, status: phase.status },
    ...(phase.agent === null ? { provider: null, model: null, reasoningEffort: null } : phaseModel(llm, phase)),
  })),
});
