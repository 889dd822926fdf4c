import { For, Show } from 'solid-js';
import { formatWrittenAmount } from '../../src/base/spending/budgetScopes.ts';
import type { BudgetView } from '../../src/contract/schema/policy/budget.ts';
import { formatSpentPercent } from '../budgets/budgetText.ts';
import { SpentBar } from '../budgets/SpentBar.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { useStore } from '../shell/useStore.ts';
import '../budgets/budgets.css';

/** Budgets that all jobs share, as they are named here. */
const SHARED: Partial<Record<BudgetView['scope'], string>> = {
  day: 'Today (UTC)',
  week: 'This week (UTC)',
  runner: 'This runner, in all',
};

/** How much of the budgets in dollars is spent that all jobs share, and those of a repository. */
export function BudgetShares() {
  const { limits } = useDashboard();
  const budgets = useStore(limits, (context) => context.budgets);
  const sharedBudgets = () =>
    (budgets() ?? []).filter(
      ({ metric, scope }) => metric === 'usd' && (scope in SHARED || scope === 'repository'),
    );
  return (
    <Show when={sharedBudgets().length > 0}>
      <section class="budget-shares" aria-labelledby="budget-shares">
        <h3 id="budget-shares">
          <a href="#/budgets">Budgets</a>
        </h3>
        <ul class="plain">
          <For each={sharedBudgets()}>
            {(budget) => (
              <li>
                <bdi>{SHARED[budget.scope] ?? budget.key}</bdi>
                <span class="muted">
                  {formatWrittenAmount('usd', budget.spent)} of{' '}
                  {formatWrittenAmount('usd', budget.cap)} ({formatSpentPercent(budget)})
                </span>
                <SpentBar {...budget} />
              </li>
            )}
          </For>
        </ul>
      </section>
    </Show>
  );
}
