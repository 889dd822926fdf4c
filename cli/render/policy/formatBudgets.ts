import type { Ansis } from 'ansis';
import { formatAmount, toCountedAmount } from '../../../src/base/spending/budgetScopes.ts';
import type { BudgetList, BudgetView } from '../../../src/contract/schema/policy/budget.ts';
import { toPrintableLine } from '../text/toPrintable.ts';
import { renderTable } from '../text/renderTable.ts';

const toBudgetRow = ({
  scope,
  key,
  window,
  metric,
  cap,
  spent,
  held,
  by,
}: BudgetView): string[] => [
  scope,
  toPrintableLine(key || window),
  ...[spent, held, cap].map((amount) => formatAmount(metric, toCountedAmount(metric, amount))),
  by,
];

export function formatBudgets(
  { budgets }: BudgetList,
  style: { color: Ansis; columns: number },
): string {
  return budgets.length === 0
    ? 'No limits are set.\n'
    : renderTable(
        ['BUDGET', 'OF', 'SPENT', 'HELD', 'CAP', 'SET BY'],
        budgets.map(toBudgetRow),
        style,
      );
}
