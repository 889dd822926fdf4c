import { budgetOwner } from '../domain/budgetName.ts';
import { amountText, NEAR_FROM } from '../domain/budgetScopes.ts';
import type { Tables } from '../records/tables.ts';
import type { TypedRows } from '../records/typedRows.ts';
import type { Account } from './admit.ts';

type WarningRow = Tables['budget_warnings'];

const isNear = ({ cap, spent }: Account): boolean => spent >= cap * NEAR_FROM && spent < cap;

const textOf = (account: Account): string => {
  const { metric, spent, cap } = account;
  return `the budget of ${budgetOwner(account)} is nearly spent: ${amountText(metric, spent)} of ${amountText(metric, cap)}`;
};

/** Warnings that were not given yet: each once for an account, its window and its cap. */
export const newWarnings = (
  rows: Pick<TypedRows<Tables>, 'count'>,
  accounts: readonly Account[],
  jobId: string,
  at: number,
): WarningRow[] =>
  accounts.filter(isNear).flatMap((account): WarningRow[] => {
    const { scope, key, metric, window, cap } = account;
    const id = { scope, key, metric, window, cap };
    return rows.count('budget_warnings', id) > 0
      ? []
      : [{ ...id, job_id: jobId, at, text: textOf(account) }];
  });

/** What an agent that begins is given about budgets that are nearly spent; null = nothing. */
export function processNote(accounts: readonly Account[]): string | null {
  const near = accounts.filter(isNear).map(textOf);
  return near.length === 0
    ? null
    : `[process note] Little is left: ${near.join('; ')}. Finish what you have begun, or hand over what is left.`;
}
