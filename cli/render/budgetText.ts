import type { Ansis } from 'ansis';
import { amountText, counted } from '../../src/domain/budgetScopes.ts';
import type { BudgetList, BudgetView } from '../../src/schema/budget.ts';
import { printableLine } from './printable.ts';
import { table } from './table.ts';

const row = ({ scope, key, window, metric, cap, spent, held, by }: BudgetView): string[] => [
  scope,
  printableLine(key || window),
  ...[spent, held, cap].map((amount) => amountText(metric, counted(metric, amount))),
  by,
];

/** Budgets as a table. */
export function budgetText(
  { budgets }: BudgetList,
  style: { color: Ansis; columns: number },
): string {
  return budgets.length === 0
    ? 'No budget is capped.\n'
    : table(['BUDGET', 'OF', 'SPENT', 'HELD', 'CAP', 'SET BY'], budgets.map(row), style);
}
