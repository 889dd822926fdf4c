import { renderProofScript } from '../../src/workflows/definition/invariants/renderProofScript.ts';
import type { ParsedWorkflow } from '../../src/workflows/definition/parseWorkflow.ts';
import { suggestClosestName } from '../../src/base/text/findClosestName.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { WorkflowTable } from '../../src/contract/schema/workflow/workflow.ts';

/**
 * A workflow with one of its invariants alone, and the script of the shortest path to where that one
 * stops something. Throws SvcError: `not-found`, or `invalid` if no such path exists.
 */
export function isolateInvariant(
  { sketch, proofs, file }: Pick<ParsedWorkflow, 'sketch' | 'proofs' | 'file'>,
  id: string,
): { workflow: WorkflowTable; script: string } {
  const proof = proofs.find(({ invariant }) => invariant.id === id);
  if (!sketch || !proof) {
    const ids = proofs.map(({ invariant }) => invariant.id);
    const hint = ids.length === 0 ? 'Nothing was proved for it.' : suggestClosestName(id, ids);
    throw new SvcError('not-found', `${file} has no invariant ${id}. ${hint}`);
  }
  const phases = sketch.phases.map(({ name }) => name);
  const agents = new Set(sketch.phases.flatMap(({ name, agent }) => (agent ? [name] : [])));
  const script = renderProofScript(proof, phases, (phase) => agents.has(phase));
  if (script === null) {
    const why =
      proof.path.length === 0
        ? `it stops nothing in this workflow (${proof.result})`
        : 'its path has a step that no script can play';
    throw new SvcError('invalid', `The invariant ${id} cannot be played: ${why}.`);
  }
  return { workflow: { ...sketch, invariants: [proof.invariant] }, script };
}
