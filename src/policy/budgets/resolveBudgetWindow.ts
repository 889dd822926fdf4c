import type { BudgetScope } from '../../base/spending/budgetScopes.ts';

const DAY_MS = 86_400_000;

const computeDayStart = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS;

/** Start of the week's Monday in UTC, epoch ms. */
function computeWeekStart(at: number): number {
  const day = computeDayStart(at);
  // 1970-01-01 was a Thursday.
  return day - ((Math.floor(day / DAY_MS) + 3) % 7) * DAY_MS;
}

/** The ledger's name of a scope's window at a time: a UTC day, or empty. */
export function resolveBudgetWindow(scope: BudgetScope, at: number): string {
  if (scope !== 'day' && scope !== 'week') return '';
  return new Date(scope === 'day' ? computeDayStart(at) : computeWeekStart(at))
    .toISOString()
    .slice(0, 10);
}

/** Start of a scope's next window, epoch ms; null if it has only one. */
export function computeNextWindow(scope: BudgetScope, at: number): number | null {
  if (scope === 'day') return computeDayStart(at) + DAY_MS;
  return scope === 'week' ? computeWeekStart(at) + 7 * DAY_MS : null;
}
