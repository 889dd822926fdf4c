import {
  type Amounts,
  type BudgetMetric,
  type BudgetScope,
  NOTHING,
} from '../../shared/spending/budgetScopes.ts';
import type { CapSource } from './resolveCaps.ts';

/** What is spent under one cap, and who holds how much of the rest. */
export interface Account {
  scope: BudgetScope;
  /** As the ledger has it: such as a job's id; empty for day, week and runner. */
  key: string;
  window: string;
  metric: BudgetMetric;
  cap: number;
  /** Who has set it, or raised it last. */
  by: CapSource;
  spent: number;
  /** Held by other sessions that run or are about to. */
  held: number;
}

/** What a session is to begin or to continue with. */
export interface Want {
  /** What it is likely to use at most. */
  likely: Amounts;
  /** The least that it needs; if a cap is smaller, the whole cap. */
  least: Amounts;
}

export type SessionAdmission =
  /** It may use so much. */
  | { kind: 'go'; hold: Amounts }
  /** The budget is spent. */
  | { kind: 'over'; account: Account }
  /** It is not spent, but others hold what is left. */
  | { kind: 'wait'; account: Account };

/**
 * Whether a session may begin, or continue, under all of these caps. A budget that is spent counts
 * before one that others hold: the job has to stop for it anyway.
 */
export function admitSession(
  accounts: readonly Account[],
  { likely, least }: Want,
): SessionAdmission {
  const hold: Amounts = { ...likely };
  let waits: Account | undefined;
  for (const account of accounts) {
    const { metric, cap, spent, held } = account;
    const needed = Math.max(1, Math.min(least[metric], cap));
    if (cap - spent < needed) return { kind: 'over', account };
    const left = cap - spent - held;
    if (left < needed) waits ??= account;
    hold[metric] = Math.min(hold[metric], Math.max(left, 0));
  }
  return waits ? { kind: 'wait', account: waits } : { kind: 'go', hold };
}

/** Every account that is spent, in the order of `accounts`: each of them stops the session. */
export const listSpentAccounts = (accounts: readonly Account[], want: Want): Account[] =>
  accounts.filter((account) => admitSession([account], want).kind === 'over');

/** The unused part of a hold. */
export function openHold(held: Amounts, used: Amounts): Amounts {
  const open = { ...NOTHING };
  for (const metric of Object.keys(open) as BudgetMetric[])
    open[metric] = Math.max(0, held[metric] - used[metric]);
  return open;
}

/** A visit that has begun is one of those that are counted: it may end. */
export const discountBegunVisit = (account: Account, isNewVisit: boolean): Account =>
  account.metric === 'visits' && !isNewVisit ? { ...account, spent: account.spent - 1 } : account;
