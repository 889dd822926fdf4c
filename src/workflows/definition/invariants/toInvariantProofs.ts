import { formatRule } from '../../../base/invariants/invariant.ts';
import type { InvariantProof } from '../../../contract/schema/workflow/invariantProof.ts';
import type { WorkflowTable } from '../../../contract/schema/workflow/workflow.ts';
import { COMPLETE } from '../buildWorkflowChart.ts';
import { describePathSteps, findBegunPhase } from './describePath.ts';
import { renderProofScript } from './renderProofScript.ts';
import type { Proof } from './proveInvariants.ts';

function listPathStates(
  { path, result }: Proof,
  { initial_phase }: WorkflowTable,
  phases: string[],
) {
  if (path.length === 0 && result !== 'counterexample') return [];
  const states: string[] = [path[0]?.phase ?? initial_phase];
  for (const step of path) {
    const begunPhase = findBegunPhase(step, phases);
    for (const state of [step.phase, step.move.act === 'complete' ? COMPLETE : begunPhase])
      if (state !== null && state !== states.at(-1)) states.push(state);
  }
  return states;
}

export function toInvariantProofs(
  table: WorkflowTable | null,
  proofs: readonly Proof[],
): InvariantProof[] {
  if (!table) return [];
  const phases = table.phases.map(({ name }) => name);
  const agents = new Set(table.phases.flatMap(({ name, agent }) => (agent ? [name] : [])));
  return proofs.map((proof) => ({
    invariant: proof.invariant.id,
    from: proof.invariant.from ?? null,
    rule: formatRule(proof.invariant),
    result: proof.result,
    by: proof.by,
    steps: describePathSteps(proof, phases),
    states: listPathStates(proof, table, phases),
    script: renderProofScript(proof, phases, (phase) => agents.has(phase)),
  }));
}
