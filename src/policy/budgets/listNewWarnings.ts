import { describeBudgetOwner } from '../../base/spending/describeBudgetOwner.ts';
import { formatAmount, NEAR_FROM } from '../../base/spending/budgetScopes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';
import type { Account } from './admitSession.ts';

type WarningRow = Tables['budget_warnings'];

const isNearlySpent = ({ cap, spent }: Account): boolean => spent >= cap * NEAR_FROM && spent < cap;

const formatNearlySpent = (account: Account): string => {
  const { metric, spent, cap } = account;
  return `the budget of ${describeBudgetOwner(account)} is nearly spent: ${formatAmount(metric, spent)} of ${formatAmount(metric, cap)}`;
};

/** Warnings that were not given yet: each once for an account, its window and its cap. */
export const listNewWarnings = (
  rows: Pick<TypedRows<Tables>, 'count'>,
  accounts: readonly Account[],
  jobId: string,
  at: number,
): WarningRow[] =>
  accounts.filter(isNearlySpent).flatMap((account): WarningRow[] => {
    const { scope, key, metric, window, cap } = account;
    const id = { scope, key, metric, window, cap };
    return rows.count('budget_warnings', id) > 0
      ? []
      : [{ ...id, job_id: jobId, at, text: formatNearlySpent(account) }];
  });

/** Note for a starting agent about nearly spent budgets; null = none. */
export function renderProcessNote(accounts: readonly Account[]): string | null {
  const near = accounts.filter(isNearlySpent).map(formatNearlySpent);
  return near.length === 0
    ? null
    : `[process note] Little is left: ${near.join('; ')}. Finish what you have begun, or hand over what is left.`;
}
