import { listMentionedWorkflows } from '../../workflows/definition/textRules.ts';
import type { OpenOverlay } from '../../workflows/overlay/openOverlay.ts';
import type { NewJob } from '../../policy/budgets/deriveNewJobFacts.ts';

/**
 * The job as it begins, and as it will be with each workflow that it can come to by name: those that
 * its agents are asked to go over to, and that of its sub-runs, with what follows those. Workflows
 * with mistakes are left out: nothing can begin with them.
 */
export function listReachableJobs(overlay: OpenOverlay, job: NewJob): NewJob[] {
  const reached = new Map([[job.workflowPath, job]]);
  for (const { workflowPath, workflow } of reached.values()) {
    const { coordinator } = workflow;
    const below = coordinator?.enabled === true ? coordinator.subRunWorkflowPath : null;
    const agents = workflow.phases.flatMap(({ agent }) => agent ?? []);
    const texts = [workflowPath, ...agents].filter((path) => overlay.has(path));
    const named = texts.flatMap((path) => listMentionedWorkflows(overlay.text(path)));
    for (const path of below === null ? named : [below, ...named]) {
      if (reached.has(path) || !overlay.has(path)) continue;
      const { table } = overlay.workflow(path);
      if (table) reached.set(path, { ...job, workflowPath: path, workflow: table });
    }
  }
  return [...reached.values()];
}
