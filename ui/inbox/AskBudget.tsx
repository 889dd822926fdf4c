import { Show } from 'solid-js';
import { budgetOwner, setByText } from '../../src/domain/budgetName.ts';
import { written, writtenText } from '../../src/domain/budgetScopes.ts';
import type { Exceeded } from '../../src/schema/exceeded.ts';
import { AmountForm } from '../budgets/AmountForm.tsx';
import { suggestedRaise } from '../budgets/amounts.ts';
import { Countdown } from '../budgets/Countdown.tsx';
import { SpentBar } from '../budgets/SpentBar.tsx';
import { Icon } from '../shell/Icon.tsx';
import { usePageKeys } from '../shell/pageKeys.ts';
import type { AskProps } from './askProps.ts';
import '../budgets/budgets.css';

/** A job that a budget has stopped: which, what is spent of it, and a raise that lets it continue. */
export function AskBudget(props: AskProps & { exceeded: Exceeded }) {
  let form: HTMLDivElement | undefined;
  const cap = () => written(props.exceeded.metric, props.exceeded.cap);
  const spent = () => written(props.exceeded.metric, props.exceeded.spent);
  const text = (amount: number) => writtenText(props.exceeded.metric, amount);
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
        The budget of <bdi>{budgetOwner(props.exceeded, props.job.id)}</bdi> is spent
      </h2>
      <p>
        <strong>
          {text(spent())} of {text(cap())}
        </strong>
        , {setByText(props.exceeded.by)}.
        <Show when={spent() < cap()}> What is left is too little to begin a session with.</Show>{' '}
        Nothing is lost: the job continues where it is.
      </p>
      <SpentBar spent={spent()} held={0} cap={cap()} />
      <Show when={props.job.parked?.until}>
        {(until) => (
          <p>
            It continues by itself in <Countdown until={until()} />.
          </p>
        )}
      </Show>
      <div class="decision-bar" ref={form}>
        <AmountForm
          label="Raise the budget by"
          metric={props.exceeded.metric}
          amount={suggestedRaise(props.exceeded.metric, cap(), spent())}
          says="Raise and continue"
          icon={<Icon name="play" />}
          isPrimary
          hint={(amount) => `${text(cap() + amount)} in all${windowText(props.exceeded)}.`}
          send={(amount, refused) =>
            props.command(
              `Raised by ${text(amount)}.`,
              (client) =>
                client.resume(props.job.id, {
                  eventKey: 'manual-resume',
                  budget: { [props.exceeded.metric]: amount },
                }),
              undefined,
              refused,
            )
          }
        />
      </div>
    </>
  );
}

/** A raise of a day or a week is for that one alone. */
const windowText = ({ scope }: Exceeded): string =>
  scope === 'day' || scope === 'week' ? `, for this ${scope} alone` : '';
