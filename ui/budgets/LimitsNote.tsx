import { For, Show } from 'solid-js';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { useStore } from '../shell/useStore.ts';
import { Countdown } from './Countdown.tsx';
import { AccountRetry } from './AccountRetry.tsx';
import {
  listClosedAccounts,
  needsAccountRepair,
  formatAccountName,
  describeAccountState,
  formatWaitingJobs,
} from './accountText.ts';
import './budgets.css';

/** Accounts that are named in the sidebar; the page of budgets has all. */
const SHOWN = 2;

/** Accounts that start no sessions, in the sidebar; on phones a mark that leads to budgets. */
export function LimitsNote() {
  const { limits } = useDashboard();
  const accounts = useStore(limits, (context) => context.accounts);
  const closedAccounts = () => listClosedAccounts(accounts() ?? []);
  return (
    <Show when={closedAccounts().length > 0}>
      <section class="limits-note" aria-label="Accounts at a limit">
        <a
          class="limits-mark"
          href="#/budgets"
          aria-label={`Accounts at a limit: ${closedAccounts().length}`}
        >
          <Icon name="warn" />
        </a>
        <ul class="plain">
          <For each={closedAccounts().slice(0, SHOWN)}>
            {(account) => (
              <li classList={{ 'for-people': needsAccountRepair(account) }}>
                <a href="#/budgets">
                  <bdi>{formatAccountName(account)}</bdi>
                </a>
                <span>{describeAccountState(account)}</span>
                <Show when={account.waiting > 0}>
                  <span>{formatWaitingJobs(account)}</span>
                </Show>
                <Show when={account.limit?.until}>
                  {(until) => (
                    <span>
                      Tried again in <Countdown until={until()} />
                    </span>
                  )}
                </Show>
                <Show when={needsAccountRepair(account)}>
                  <AccountRetry account={account} />
                </Show>
              </li>
            )}
          </For>
        </ul>
        <Show when={closedAccounts().length > SHOWN}>
          <a href="#/budgets">{closedAccounts().length - SHOWN} more</a>
        </Show>
      </section>
    </Show>
  );
}
