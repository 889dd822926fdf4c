import type { Diagnostic } from '../../contract/schema/workflow/diagnostic.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { PhaseDefinition, WorkflowEntry } from '../../contract/schema/workflow/workflow.ts';
import type { ParsedWorkflow } from './parseWorkflow.ts';
import { resolvePhaseModel } from './resolvePhaseModel.ts';

/** A workflow that can be started, with its phases as declared. */
export type DiscoveredWorkflow = Omit<WorkflowEntry, 'phases'> & {
  phases: readonly PhaseDefinition[];
};

export interface WorkflowDiscovery {
  workflows: DiscoveredWorkflow[];
  broken: DiscoveredWorkflow[];
  /** Errors of broken workflows and warnings of the others. */
  diagnostics: Diagnostic[];
}

/** Most errors in a `problem`. */
const MAX_NAMED = 3;

/** The first errors, one line each, and the number of the others. */
function summarizeErrors(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const errorTexts = errors
    .slice(0, MAX_NAMED)
    .map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`);
  const more = errors.length - errorTexts.length;
  return [...errorTexts, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

/** The workflows of an overlay. A broken one never hides the others. */
export function discoverWorkflows(parsed: readonly ParsedWorkflow[]): WorkflowDiscovery {
  const all = parsed.map(({ file, table, sketch, meta, diagnostics }): DiscoveredWorkflow => {
    const { phases = [], coordinator = null } = table ?? sketch ?? {};
    return {
      ...meta,
      workflowPath: file,
      phases,
      coordinator: coordinator && {
        subRunWorkflowPath: coordinator.subRunWorkflowPath,
        maxParallelSubRuns: coordinator.maxParallelSubRuns,
        failurePolicy: coordinator.failurePolicy,
      },
      ...(table === null && { problem: summarizeErrors(diagnostics) }),
    };
  });
  all.sort(compareByWorkflowPath);
  return {
    workflows: all.filter(({ problem }) => problem === undefined),
    broken: all.filter(({ problem }) => problem !== undefined),
    diagnostics: parsed.flatMap((one) => one.diagnostics),
  };
}

export const compareByWorkflowPath = (
  a: { workflowPath: string },
  b: { workflowPath: string },
): number => (a.workflowPath < b.workflowPath ? -1 : 1);

/** Entry of GET /workflows: each phase with its executor by the present settings. */
export const toWorkflowEntry = (
  discoveredWorkflow: DiscoveredWorkflow,
  llm: Settings['llm'],
): WorkflowEntry => ({
  ...discoveredWorkflow,
  phases: discoveredWorkflow.phases.map((phase) => ({
    name: phase.name,
    status: phase.status,
    checkpoint: phase.interactive_checkpoint,
    ...(phase.agent === null
      ? { provider: null, model: null, reasoningEffort: null }
      : resolvePhaseModel(llm, phase)),
  })),
});
