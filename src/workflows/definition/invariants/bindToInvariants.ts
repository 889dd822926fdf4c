import { type Invariant, formatRule, uniteInvariants } from '../../../base/invariants/invariant.ts';
import type { WorkflowTable } from '../../../contract/schema/workflow/workflow.ts';
import { describePath } from './describePath.ts';
import { type ProofStart, proveInvariants } from './proveInvariants.ts';

export interface BindingStart extends Omit<ProofStart, 'monitors'> {
  /** The state of a rule's monitor; default: nothing has happened. */
  getMonitor?: (rule: Invariant) => number;
}

export interface BoundTable {
  table: WorkflowTable;
  /** Id of the rule that no job can keep or that prevents its end; null = none. */
  rule: string | null;
  /** Why no job may follow the table, as a sentence; null = it may. */
  problem: string | null;
}

/**
 * A workflow for a job that brings its own rules, from its parent or its previous workflow: with
 * all rules, and whether a job may follow it then.
 */
export function bindToInvariants(
  table: WorkflowTable,
  givenInvariants: readonly Invariant[] | undefined,
  { getMonitor = () => 0, ...start }: BindingStart = {},
): BoundTable {
  const invariants = uniteInvariants(
    table.invariants,
    (givenInvariants ?? []).map((rule) => ({ ...rule, from: 'inherited' as const })),
  );
  if (invariants.length === 0) return { table, rule: null, problem: null };
  const monitors = invariants.map(getMonitor);
  const proofs = proveInvariants(table, invariants, { ...start, monitors }) ?? [];
  const brokenProof = proofs.find(({ result }) =>
    ['counterexample', 'prevents-completion', 'too-large'].includes(result),
  );
  const phases = table.phases.map(({ name }) => name);
  const what =
    brokenProof?.result === 'counterexample'
      ? 'the workflow would break it'
      : 'no job could complete under it';
  const problem = brokenProof
    ? `the job is held to the invariant ${brokenProof.invariant.id} (${formatRule(brokenProof.invariant)}), and ${what}: ${describePath(brokenProof, phases)}`
    : null;
  return { table: { ...table, invariants }, rule: brokenProof?.invariant.id ?? null, problem };
}
