import { For, Show } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import {
  describeBudgetOwner,
  describeCapSource,
} from '../../src/base/spending/describeBudgetOwner.ts';
import { toWrittenAmount, formatWrittenAmount } from '../../src/base/spending/budgetScopes.ts';
import type { Exceeded } from '../../src/contract/schema/policy/exceeded.ts';
import { AmountForm } from '../budgets/AmountForm.tsx';
import { listAlsoSpentBudgets, computeNeededRaises } from '../budgets/budgetAmounts.ts';
import { Countdown } from '../budgets/Countdown.tsx';
import { SpentBar } from '../budgets/SpentBar.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { IfOffered } from '../shell/controls/IfOffered.tsx';
import { usePageKeys } from '../shell/keys/pageKeys.ts';
import type { AskProps } from './askProps.ts';
import '../budgets/budgets.css';

/**
 * A job that a budget has stopped: which, what is spent of it and of others that would stop it too, and
 * one raise of all of them that lets it continue.
 */
export function AskBudget(props: AskProps & { exceeded: Exceeded }) {
  let form: HTMLDivElement | undefined;
  const cap = () => toWrittenAmount(props.exceeded.metric, props.exceeded.cap);
  const spentAmount = () => toWrittenAmount(props.exceeded.metric, props.exceeded.spent);
  const text = (amount: number) => formatWrittenAmount(props.exceeded.metric, amount);
  const { client } = useDashboard();
  const [reading] = createReading(
    () => `${props.job.id} ${props.job.updatedAt}`,
    async () => client.budgets({ job: props.job.id }),
  );
  const others = () => listAlsoSpentBudgets(reading.latest?.budgets ?? [], props.exceeded);
  const raises = () =>
    computeNeededRaises([
      { metric: props.exceeded.metric, cap: cap(), spent: spentAmount() },
      ...others(),
    ]);
  usePageKeys(() => [
    {
      keys: ['r'],
      says: 'Raise the budget',
      does: { do: () => form?.querySelector('input')?.select() },
    },
  ]);
  return (
    <>
      <h2 class="question">
        The budget of <bdi>{describeBudgetOwner(props.exceeded, props.job.id)}</bdi> is spent
      </h2>
      <p>
        <strong>
          {text(spentAmount())} of {text(cap())}
        </strong>
        , {describeCapSource(props.exceeded.by)}.
        <Show when={spentAmount() < cap()}> Too little is left to start a session.</Show> Nothing is
        lost: the job continues where it is.
      </p>
      <SpentBar spent={spentAmount()} held={0} cap={cap()} />
      <For each={others()}>
        {(other) => (
          <p>
            The budget of <bdi>{describeBudgetOwner(other, props.job.id)}</bdi> is spent too:{' '}
            <strong>
              {formatWrittenAmount(other.metric, other.spent)} of{' '}
              {formatWrittenAmount(other.metric, other.cap)}
            </strong>
            , {describeCapSource(other.by)}. It is raised by{' '}
            {other.metric === props.exceeded.metric
              ? 'the same amount'
              : formatWrittenAmount(other.metric, raises()[other.metric] ?? 0)}
            {describeRaiseWindow(other)}.
          </p>
        )}
      </For>
      <Show when={props.job.parked?.until}>
        {(until) => (
          <p>
            It continues by itself in <Countdown until={until()} />.
          </p>
        )}
      </Show>
      <div class="decision-bar" ref={form}>
        <IfOffered to="resume">
          <AmountForm
            label="Raise the budget by"
            metric={props.exceeded.metric}
            amount={raises()[props.exceeded.metric] ?? null}
            says="Raise and continue"
            icon={<Icon name="play" />}
            isPrimary
            hint={(amount) =>
              `${text(cap() + amount)} in all${describeRaiseWindow(props.exceeded)}.`
            }
            send={(amount, onRefusal) =>
              props.command(
                `Raised by ${text(amount)}.`,
                (client) =>
                  client.resume(props.job.id, {
                    eventKey: 'manual-resume',
                    budget: { ...raises(), [props.exceeded.metric]: amount },
                  }),
                undefined,
                onRefusal,
              )
            }
          />
        </IfOffered>
      </div>
    </>
  );
}

/** A raise of a day or a week is for that one alone. */
const describeRaiseWindow = ({ scope }: Pick<Exceeded, 'scope'>): string =>
  scope === 'day' || scope === 'week' ? `, for this ${scope} alone` : '';
