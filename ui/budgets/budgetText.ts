import { type BudgetMetric, NEAR_FROM } from '../../src/base/spending/budgetScopes.ts';
import type { BudgetView } from '../../src/contract/schema/policy/budget.ts';

export type BudgetMark = 'enough' | 'near' | 'spent';

/** What is counted, as a heading: `Dollars`. */
export const METRIC_NAMES: Readonly<Record<BudgetMetric, string>> = {
  usd: 'Dollars',
  tokens: 'Tokens',
  sessions: 'Sessions',
  visits: 'Visits',
  minutes: 'Minutes',
};

export const isWholeMetric = (metric: BudgetMetric): boolean =>
  metric !== 'usd' && metric !== 'minutes';

/** Part of the cap that is spent: 1 is all of it, and more where a call went over it. */
export const computeSpentShare = ({ spent, cap }: Pick<BudgetView, 'spent' | 'cap'>): number =>
  cap > 0 ? spent / cap : 1;

export function toBudgetMark(budget: Pick<BudgetView, 'spent' | 'cap'>): BudgetMark {
  const part = computeSpentShare(budget);
  return part >= 1 ? 'spent' : part >= NEAR_FROM ? 'near' : 'enough';
}

/** Part of the cap that is spent, rounded down: what is not yet spent is never called 100 %. */
export const formatSpentPercent = (budget: Pick<BudgetView, 'spent' | 'cap'>): string =>
  `${Math.floor(computeSpentShare(budget) * 100 + 1e-9)} %`;

/** Caps of a session and of a visit can only be raised by the job that they have stopped. */
export const canBeRaised = ({ scope }: Pick<BudgetView, 'scope'>): boolean =>
  scope !== 'session' && scope !== 'phase';
