import { toPlainSentence } from '../jobs/plainText.ts';
import { Show } from 'solid-js';
import type { Pool } from '../../src/contract/schema/policy/pool.ts';
import { Countdown } from './Countdown.tsx';
import { AccountRetry } from './AccountRetry.tsx';
import {
  needsAccountRepair,
  formatAccountName,
  describeAccountState,
  pickAccountTone,
  formatWaitingJobs,
} from './accountText.ts';

export function AccountRow(props: { account: Pool }) {
  const isClosed = () => props.account.state !== 'open';
  return (
    <li class="budget-row">
      <div class="budget-head">
        <h3 class="grow">
          <bdi title={props.account.id}>{formatAccountName(props.account)}</bdi>
        </h3>
        <span class={`pill ${pickAccountTone(props.account)}`}>
          {describeAccountState(props.account)}
        </span>
      </div>
      <p class="muted">
        <bdi>{props.account.kind}</bdi>
        <Show when={props.account.used !== null}>
          {' '}
          · {Math.floor((props.account.used ?? 0) * 100)} % of its fullest window used
        </Show>
        <Show when={props.account.limit?.window}>{(window) => ` · limit of ${window()}`}</Show>
        <Show when={props.account.waiting > 0}> · {formatWaitingJobs(props.account)}</Show>
      </p>
      <Show when={props.account.limit?.until}>
        {(until) => (
          <p>
            Tried again in <Countdown until={until()} />.
          </p>
        )}
      </Show>
      <Show when={needsAccountRepair(props.account)}>
        <p>
          {toPlainSentence(props.account.limit?.error ?? 'Waiting does not help.')} Fix the account,
          then retry it.
        </p>
      </Show>
      <Show when={isClosed()}>
        <div class="row">
          <AccountRetry account={props.account} />
        </div>
      </Show>
    </li>
  );
}
