import type { BudgetMetric } from '../../src/base/spending/budgetScopes.ts';
import { isWholeMetric } from './budgetText.ts';
import type { BudgetView } from '../../src/contract/schema/policy/budget.ts';
import type { Exceeded } from '../../src/contract/schema/policy/exceeded.ts';

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
  budgets: readonly Pick<BudgetView, 'metric' | 'cap' | 'spent'>[],
): Partial<Record<BudgetMetric, number>> {
  const raises: Partial<Record<BudgetMetric, number>> = {};
  for (const { metric, cap, spent: spentAmount } of budgets)
    raises[metric] = Math.max(raises[metric] ?? 0, suggestBudgetRaise(metric, cap, spentAmount));
  return raises;
}

/** Least that is suggested, in the unit that people write. */
const LEAST: Readonly<Record<BudgetMetric, number>> = {
  usd: 1,
  tokens: 1_000,
  sessions: 1,
  visits: 1,
  minutes: 5,
};

/** Part of the cap that is suggested beside what is missing already. */
const SHARE = 0.5;

/** The next number above with two digits that are not 0: 5,040 → 5,100. */
function roundUp(amount: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(amount)) - 1);
  return Math.ceil(amount / step) * step;
}

/** By how much to raise a budget: what exceeds the cap plus half of the cap, rounded up. */
export function suggestBudgetRaise(metric: BudgetMetric, cap: number, spentAmount: number): number {
  const missingAmount = Math.max(0, spentAmount - cap) + cap * SHARE;
  // Binary fractions must not turn 5 into 6.
  return roundUp(Math.max(LEAST[metric], Math.ceil(missingAmount - 1e-9)));
}

export type TypedAmount = { amount: number } | { wrong: string };

/** Reads what a person has typed; `$`, spaces and commas between thousands are let pass. */
export function parseTypedAmount(metric: BudgetMetric, text: string): TypedAmount {
  const plain = text.trim().replace(/^\$\s*/, '');
  const number = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain;
  if (!/^(\d+(\.\d*)?|\.\d+)$/.test(number) || Number(number) <= 0)
    return { wrong: 'Write a number above 0, such as 5.' };
  const amount = Number(number);
  if (isWholeMetric(metric) && !Number.isInteger(amount))
    return { wrong: 'Write a whole number, such as 5.' };
  return { amount };
}
