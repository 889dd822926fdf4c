import { Show } from 'solid-js';
import type { Parked } from '../../../src/contract/schema/job/job.ts';
import { Countdown } from '../../budgets/Countdown.tsx';
import { AccountRetry } from '../../budgets/AccountRetry.tsx';
import {
  formatAccountName,
  describeAccountState,
  formatWaitingJobs,
} from '../../budgets/accountText.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { useStore } from '../../shell/useStore.ts';

/** The account limit that holds a job: which, until when, and what a person can do. */
export function WaitsForQuota(props: { parked: Parked }) {
  const { limits } = useDashboard();
  const accounts = useStore(limits, (context) => context.accounts);
  const account = () => (accounts() ?? []).find(({ id }) => id === props.parked.pool);
  return (
    <section
      class="section asked"
      classList={{ bad: props.parked.until === undefined }}
      aria-label="Limit of the model"
    >
      <h2 class="question">
        {props.parked.until === undefined
          ? "The account of the job's model needs a person"
          : 'The job waits for the quota of its model'}
      </h2>
      <Show when={props.parked.until}>
        {(until) => (
          <p>
            It continues by itself in <Countdown until={until()} />.
          </p>
        )}
      </Show>
      <Show when={account()}>
        {(known) => (
          <p>
            Account <bdi>{formatAccountName(known())}</bdi>:{' '}
            {describeAccountState(known()).toLowerCase()}
            {known().limit?.window ? `, limit of ${known().limit?.window}` : ''}.{' '}
            {formatWaitingJobs(known())} for it. {known().limit?.error ?? ''}{' '}
            <a href="#/budgets">All accounts</a>
          </p>
        )}
      </Show>
      <Show when={props.parked.until === undefined}>
        <p>Waiting does not help. Pay the bill or raise the limit, then retry the account.</p>
        <Show when={account()}>{(known) => <AccountRetry account={known()} />}</Show>
      </Show>
    </section>
  );
}
