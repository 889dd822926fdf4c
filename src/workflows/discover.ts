import type { Diagnostic } from '../schema/diagnostic.ts';
import type { WorkflowEntry } from '../schema/workflow.ts';
import type { ParsedWorkflow } from './parseWorkflow.ts';

export interface Discovered {
  /** Workflows that can be started, by path. */
  workflows: WorkflowEntry[];
  /** What is wrong with those that are left out, and the warnings of the others. */
  diagnostics: Diagnostic[];
}

/** Entries of GET /workflows. One broken workflow never hides the others. */
export function discoverWorkflows(parsed: readonly ParsedWorkflow[]): Discovered {
  const workflows: WorkflowEntry[] = [];
  for (const { file, table, meta } of parsed) {
    if (!table) continue;
    const { coordinator } = table;
    workflows.push({
      ...meta,
      workflowPath: file,
      phases: table.phases.map(({ name, status }) => ({ name, status })),
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
