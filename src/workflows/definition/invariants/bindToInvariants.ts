import {
  type Invariant,
  formatRule,
  uniteInvariants,
} from '../../../shared/invariants/invariant.ts';
import type { WorkflowTable } from '../../../contract/schema/workflow/workflow.ts';
import { describePath } from './describePath.ts';
import { type ProofStart, proveInvariants } from './proveInvariants.ts';

/** A job or a switch as a proof has to know it. */
export interface BindingStart extends Omit<ProofStart, 'monitors'> {
  /** What a rule remembers; default: nothing has happened. */
  monitorOf?: (rule: Invariant) => number;
}

/** A table with all rules, and what is wrong with it. */
export interface BoundTable {
  table: WorkflowTable;
  /** Id of the rule that no job may break or meet; null = no rule is in the way. */
  rule: string | null;
  /** Why no job may follow the table, as a sentence; null = it may. */
  problem: string | null;
}

/**
 * A workflow for a job that brings rules of its own, from its parent or from the workflow before:
 * with all of them, and whether a job may follow it then.
 */
export function bindToInvariants(
  table: WorkflowTable,
  brought: readonly Invariant[] | undefined,
  { monitorOf = () => 0, ...start }: BindingStart = {},
): BoundTable {
  const invariants = uniteInvariants(
    table.invariants,
    (brought ?? []).map((rule) => ({ ...rule, from: 'inherited' as const })),
  );
  if (invariants.length === 0) return { table, rule: null, problem: null };
  const monitors = invariants.map(monitorOf);
  const proofs = proveInvariants(table, invariants, { ...start, monitors }) ?? [];
  const broken = proofs.find(({ result }) =>
    ['counterexample', 'prevents-completion', 'too-large'].includes(result),
  );
  const phases = table.phases.map(({ name }) => name);
  const what =
    broken?.result === 'counterexample'
      ? 'the workflow would break it'
      : 'no job could complete under it';
  const problem = broken
    ? `the job is held to the invariant ${broken.invariant.id} (${formatRule(broken.invariant)}), and ${what}: ${describePath(broken, phases)}`
    : null;
  return { table: { ...table, invariants }, rule: broken?.invariant.id ?? null, problem };
}
