import {
  type Amounts,
  type BudgetMetric,
  type BudgetScope,
  NOTHING,
} from '../../base/spending/budgetScopes.ts';
import type { CapSource } from './resolveCaps.ts';

export interface Account {
  scope: BudgetScope;
  /** Key of the ledger, such as a job's id; empty for day, week and runner. */
  key: string;
  window: string;
  metric: BudgetMetric;
  cap: number;
  /** Who set or last raised it. */
  by: CapSource;
  spent: number;
  /** Held by other running or starting sessions. */
  held: number;
}

export interface Want {
  /** The most that it is likely to use. */
  likely: Amounts;
  /** The least that it needs; if a cap is smaller, the whole cap. */
  least: Amounts;
}

export type SessionAdmission =
  /** It may use this much. */
  | { kind: 'go'; hold: Amounts }
  | { kind: 'over'; account: Account }
  /** Not spent, but others hold the rest. */
  | { kind: 'wait'; account: Account };

/**
 * Whether a session may begin or continue under all these caps. A spent budget counts before one
 * that others hold: the job has to stop for it anyway.
 */
export function admitSession(
  accounts: readonly Account[],
  { likely, least }: Want,
): SessionAdmission {
  const hold: Amounts = { ...likely };
  let waits: Account | undefined;
  for (const account of accounts) {
    const { metric, cap, spent, held } = account;
    const required = Math.max(1, Math.min(least[metric], cap));
    if (cap - spent < required) return { kind: 'over', account };
    const remaining = cap - spent - held;
    if (remaining < required) waits ??= account;
    hold[metric] = Math.min(hold[metric], Math.max(remaining, 0));
  }
  return waits ? { kind: 'wait', account: waits } : { kind: 'go', hold };
}

export const listSpentAccounts = (accounts: readonly Account[], want: Want): Account[] =>
  accounts.filter((account) => admitSession([account], want).kind === 'over');

export function openHold(amounts: Amounts, usedAmounts: Amounts): Amounts {
  const open = { ...NOTHING };
  for (const metric of Object.keys(open) as BudgetMetric[])
    open[metric] = Math.max(0, amounts[metric] - usedAmounts[metric]);
  return open;
}

/** The visit that has begun is counted already, so it may end. */
export const discountBegunVisit = (account: Account, isNewVisit: boolean): Account =>
  account.metric === 'visits' && !isNewVisit ? { ...account, spent: account.spent - 1 } : account;
