import { sentence } from '../jobs/plainText.ts';
import { Show } from 'solid-js';
import type { Pool } from '../../src/schema/pool.ts';
import { Countdown } from './Countdown.tsx';
import { OpenPool } from './OpenPool.tsx';
import { isForPeople, poolName, poolState, poolTone, waitingText } from './poolText.ts';

/** An account at the endpoint of a model: whether sessions start, and until when not. */
export function PoolRow(props: { pool: Pool }) {
  const closed = () => props.pool.state !== 'open';
  return (
    <li class="budget-row">
      <div class="budget-head">
        <h3 class="grow">
          <bdi title={props.pool.id}>{poolName(props.pool)}</bdi>
        </h3>
        <span class={`pill ${poolTone(props.pool)}`}>{poolState(props.pool)}</span>
      </div>
      <p class="muted">
        <bdi>{props.pool.kind}</bdi>
        <Show when={props.pool.used !== null}>
          {' '}
          · {Math.floor((props.pool.used ?? 0) * 100)} % of its fullest window used
        </Show>
        <Show when={props.pool.limit?.window}>{(window) => ` · limit of ${window()}`}</Show>
        <Show when={props.pool.waiting > 0}> · {waitingText(props.pool)}</Show>
      </p>
      <Show when={props.pool.limit?.until}>
        {(until) => (
          <p>
            Tried again in <Countdown until={until()} />.
          </p>
        )}
      </Show>
      <Show when={isForPeople(props.pool)}>
        <p>
          {sentence(props.pool.limit?.error ?? 'Waiting does not help.')} Fix the account, then have
          it tried again.
        </p>
      </Show>
      <Show when={closed()}>
        <div class="row">
          <OpenPool pool={props.pool} />
        </div>
      </Show>
    </li>
  );
}
