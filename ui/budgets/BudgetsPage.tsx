import { capitalizeFirst } from '../../src/base/text/capitalizeFirst.ts';
import { createEffect, For, Match, on, Show, Switch } from 'solid-js';
import { formatAge, formatDateTime } from '../jobs/jobText.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { Problem } from '../shell/problems/Problem.tsx';
import { toJobHash } from '../shell/navigation/router.ts';
import { useStore } from '../shell/useStore.ts';
import { BudgetRows } from './BudgetRows.tsx';
import { readLimits } from './followLimits.ts';
import { AccountRow } from './AccountRow.tsx';
import { CapForm } from './CapForm.tsx';
import { IfOffered } from '../shell/controls/IfOffered.tsx';
import './budgets.css';

export function BudgetsPage() {
  const { client, limits, shell } = useDashboard();
  const reconnects = useStore(shell, (context) => context.healed);
  const read = () => void readLimits({ client, limits });
  createEffect(on(reconnects, read));
  const budgets = useStore(limits, (context) => context.budgets);
  const warnings = useStore(limits, (context) => context.warnings);
  const accounts = useStore(limits, (context) => context.accounts);
  const problem = useStore(limits, (context) => context.problem);
  const accountIds = () => (accounts() ?? []).map(({ id }) => id);
  return (
    <div class="page budgets-page">
      <div class="page-head">
        <h1>Budgets</h1>
      </div>
      <Switch>
        <Match when={budgets() === null && problem()}>
          <Problem error={problem()} retry={read} />
        </Match>
        <Match when={budgets() === null}>
          <p class="muted">Loading …</p>
        </Match>
        <Match when={true}>
          <section class="section" aria-labelledby="caps">
            <h2 id="caps">Runner budgets</h2>
            <Show when={budgets()?.length === 0}>
              <p class="muted">No limit is set: jobs may use what they need.</p>
            </Show>
            <BudgetRows budgets={budgets() ?? []} onChanged={read} />
            <p class="muted">
              Budgets of a job are on its page; those of sessions, visits, jobs and campaigns are
              set in the configuration.
            </p>
          </section>
          <IfOffered to="setBudget">
            <section class="section" aria-labelledby="set-cap">
              <h2 id="set-cap">Set a limit</h2>
              <CapForm onChanged={read} />
            </section>
          </IfOffered>
          <section class="section" aria-labelledby="accounts">
            <h2 id="accounts">Model accounts</h2>
            <Show when={accountIds().length === 0}>
              <p class="muted">No account was used yet.</p>
            </Show>
            <ul class="plain budget-rows">
              <For each={accountIds()}>
                {(id) => (
                  <Show when={accounts()?.find((account) => account.id === id)}>
                    {(account) => <AccountRow account={account()} />}
                  </Show>
                )}
              </For>
            </ul>
          </section>
          <Show when={warnings().length > 0}>
            <section class="section" aria-labelledby="warnings">
              <h2 id="warnings">Recently nearly spent</h2>
              <ul class="plain items">
                <For each={warnings()}>
                  {(warning) => (
                    <li>
                      <a class="grow" href={toJobHash(warning.job)}>
                        {capitalizeFirst(warning.text)}
                      </a>
                      <small title={formatDateTime(warning.at)}>
                        {formatAge(warning.at, nowForAges())}
                      </small>
                    </li>
                  )}
                </For>
              </ul>
            </section>
          </Show>
        </Match>
      </Switch>
    </div>
  );
}
