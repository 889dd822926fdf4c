import { bindToInvariants } from '../../workflows/definition/invariants/bindToInvariants.ts';
import type { Invariant } from '../../base/invariants/invariant.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { WorkflowTable } from '../../contract/schema/workflow/workflow.ts';

/**
 * The workflow of a sub-run with the invariants of its parent. Throws SvcError `workflow-invalid`
 * if no job of it could keep them.
 */
export function inheritInvariants(
  workflowPath: string,
  table: WorkflowTable,
  ofParent: readonly Invariant[] | undefined,
): WorkflowTable {
  const held = bindToInvariants(table, ofParent);
  if (held.problem === null) return held.table;
  throw new SvcError('workflow-invalid', `${workflowPath} cannot be used: ${held.problem}.`);
}
