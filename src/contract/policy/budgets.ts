import type { BudgetScope } from '../../base/spending/budgetScopes.ts';
import type { BudgetList, BudgetsQuery, SetBudgetBody } from '../schema/policy/budget.ts';
import type { Caller } from '../schema/runner/caller.ts';

/** What jobs may spend. */
export interface BudgetAccess {
  /** The budgets of a job; without one those of all jobs. Throws `not-found` for an unknown job. */
  budgets(query: BudgetsQuery): BudgetList;
  /**
   * Sets caps, or raises them; jobs that the budget has stopped are asked again. Throws `invalid`
   * where the scope has no such key or metric.
   */
  setBudget(scope: BudgetScope, body: SetBudgetBody, by: Caller): Promise<BudgetList>;
}
