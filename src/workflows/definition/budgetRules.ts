import type { Caps } from '../../shared/spending/budgetScopes.ts';
import { findLoosenedCaps } from '../../shared/spending/findLoosenedCaps.ts';
import { findOwnCapProblems } from '../../contract/schema/policy/budget.ts';
import type { WorkflowTable } from '../../contract/schema/workflow/workflow.ts';
import type { Findings } from './findings.ts';
import { type Positions, toKeyText } from './positions.ts';

/**
 * Checks the caps that a workflow sets for its jobs. One that would loosen a cap of the
 * configuration has no effect: that is reported and left as it is.
 */
export function checkBudget(
  budget: Record<string, unknown> | undefined,
  configured: Caps | undefined,
  positions: Positions,
  findings: Findings,
): Pick<WorkflowTable, 'budget'> {
  if (budget === undefined) return {};
  const problems = findOwnCapProblems(budget);
  for (const { path, message } of problems) {
    const here = ['budget', ...path];
    findings.error(
      'budget-form',
      positions.value(here),
      `${toKeyText(here)} ${message}.`,
      'Write caps as numbers below session, phase, job or campaign.',
    );
  }
  if (problems.length > 0) return {};
  for (const { scope, metric, given, cap } of findLoosenedCaps(configured ?? {}, budget as Caps)) {
    const here = ['budget', scope, metric];
    findings.warning(
      'budget-loosens',
      positions.value(here),
      `${toKeyText(here)} is ${given}, but the configuration caps it at ${cap}: the smaller cap holds.`,
      'A workflow can only tighten a cap; remove it, or name a smaller one.',
    );
  }
  return { budget: budget as NonNullable<WorkflowTable['budget']> };
}
