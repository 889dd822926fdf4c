import type { BudgetMetric } from '../../src/base/spending/budgetScopes.ts';
import type { BudgetView } from '../../src/contract/schema/policy/budget.ts';
import type { Exceeded } from '../../src/contract/schema/policy/exceeded.ts';
import { suggestBudgetRaise } from './budgetAmounts.ts';

export const listAlsoSpentBudgets = (
  budgets: readonly BudgetView[],
  { scope, key, window, metric }: Pick<Exceeded, 'scope' | 'key' | 'window' | 'metric'>,
): BudgetView[] =>
  budgets.filter(
    (one) =>
      one.spent >= one.cap &&
      !(one.scope === scope && one.key === key && one.window === window && one.metric === metric),
  );

/** By how much to raise spent budgets at once: for each metric what the tightest of them needs. */
export function computeNeededRaises(
  spent: readonly Pick<BudgetView, 'metric' | 'cap' | 'spent'>[],
): Partial<Record<BudgetMetric, number>> {
  const raises: Partial<Record<BudgetMetric, number>> = {};
  for (const { metric, cap, spent: used } of spent)
    raises[metric] = Math.max(raises[metric] ?? 0, suggestBudgetRaise(metric, cap, used));
  return raises;
}
