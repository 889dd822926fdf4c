import { ruleText } from '../../../domain/invariants/invariant.ts';
import type { InvariantProof } from '../../../schema/invariantProof.ts';
import type { WorkflowTable } from '../../../schema/workflow.ts';
import { COMPLETE } from '../workflowChart.ts';
import { pathLines, targetOf } from './pathText.ts';
import { proofScript } from './proofScript.ts';
import type { Proof } from './prove.ts';

/** The states that a path goes through, each named once in a row. */
function statesOf({ path, result }: Proof, { initial_phase }: WorkflowTable, phases: string[]) {
  if (path.length === 0 && result !== 'counterexample') return [];
  const states: string[] = [path[0]?.phase ?? initial_phase];
  for (const step of path) {
    const begun = targetOf(step, phases);
    for (const state of [step.phase, step.move.act === 'complete' ? COMPLETE : begun])
      if (state !== null && state !== states.at(-1)) states.push(state);
  }
  return states;
}

/** Proofs as people and programs see them; `table`: that of the workflow, mistakes or not. */
export function shownProofs(
  table: WorkflowTable | null,
  proofs: readonly Proof[],
): InvariantProof[] {
  if (!table) return [];
  const phases = table.phases.map(({ name }) => name);
  const agents = new Set(table.phases.flatMap(({ name, agent }) => (agent ? [name] : [])));
  return proofs.map((proof) => ({
    invariant: proof.invariant.id,
    from: proof.invariant.from ?? null,
    rule: ruleText(proof.invariant),
    result: proof.result,
    by: proof.by,
    steps: pathLines(proof, phases),
    states: statesOf(proof, table, phases),
    script: proofScript(proof, phases, (phase) => agents.has(phase)),
  }));
}
