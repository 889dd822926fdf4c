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

/** An account at the endpoint of a model: whether sessions start, and until when not. */
export function AccountRow(props: { pool: Pool }) {
  const closed = () => props.pool.state !== 'open';
  return (
    <li class="budget-row">
      <div class="budget-head">
        <h3 class="grow">
          <bdi title={props.pool.id}>{formatAccountName(props.pool)}</bdi>
        </h3>
        <span class={`pill ${pickAccountTone(props.pool)}`}>
          {describeAccountState(props.pool)}
        </span>
      </div>
      <p class="muted">
        <bdi>{props.pool.kind}</bdi>
        <Show when={props.pool.used !== null}>
          {' '}
          · {Math.floor((props.pool.used ?? 0) * 100)} % of its fullest window used
        </Show>
        <Show when={props.pool.limit?.window}>{(window) => ` · limit of ${window()}`}</Show>
        <Show when={props.pool.waiting > 0}> · {formatWaitingJobs(props.pool)}</Show>
      </p>
      <Show when={props.pool.limit?.until}>
        {(until) => (
          <p>
            Tried again in <Countdown until={until()} />.
          </p>
        )}
      </Show>
      <Show when={needsAccountRepair(props.pool)}>
        <p>
          {toPlainSentence(props.pool.limit?.error ?? 'Waiting does not help.')} Fix the account,
          then have it tried again.
        </p>
      </Show>
      <Show when={closed()}>
        <div class="row">
          <AccountRetry pool={props.pool} />
        </div>
      </Show>
    </li>
  );
}
