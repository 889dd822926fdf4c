import { capitalizeFirst } from '../../src/base/text/capitalizeFirst.ts';
import { Show } from 'solid-js';
import {
  describeBudgetOwner,
  describeCapSource,
} from '../../src/base/spending/describeBudgetOwner.ts';
import { formatWrittenAmount } from '../../src/base/spending/budgetScopes.ts';
import type { BudgetView } from '../../src/contract/schema/policy/budget.ts';
import { formatTimeWithDay } from '../jobs/jobText.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { AmountForm } from './AmountForm.tsx';
import { suggestBudgetRaise } from './budgetAmounts.ts';
import { canBeRaised, toBudgetMark, formatSpentPercent } from './budgetText.ts';
import { SpentBar } from './SpentBar.tsx';

const MARKS = {
  enough: null,
  near: { tone: 'needs-you', says: 'Nearly spent' },
  spent: { tone: 'bad', says: 'Spent' },
} as const;

/** Only the present day and week are shown. */
const NOW: Partial<Record<BudgetView['scope'], string>> = {
  day: 'Today (UTC)',
  week: 'This week (UTC)',
};

export function BudgetRow(props: {
  budget: BudgetView;
  /** The job on whose page the budget is shown. */
  jobId?: string;
  onChanged: () => void;
}) {
  const { run, offers } = useDashboard();
  const text = (amount: number) => formatWrittenAmount(props.budget.metric, amount);
  const mark = () => MARKS[toBudgetMark(props.budget)];
  const owner = () => describeBudgetOwner(props.budget, props.jobId);
  const name = () => NOW[props.budget.scope] ?? capitalizeFirst(owner());
  const raise = async (amount: number, onRefusal: (error: unknown) => void) => {
    const { scope, key, metric } = props.budget;
    const wasTaken = await run(
      `Raised by ${text(amount)}.`,
      (client) =>
        client.setBudget(scope, { ...(key === '' ? {} : { key }), raise: { [metric]: amount } }),
      undefined,
      onRefusal,
    );
    if (wasTaken) props.onChanged();
    return wasTaken;
  };
  return (
    <li class="budget-row">
      <div class="budget-head">
        <h3 class="grow">
          <bdi>{name()}</bdi>
        </h3>
        <Show when={mark()}>{(one) => <span class={`pill ${one().tone}`}>{one().says}</span>}</Show>
        <strong>{formatSpentPercent(props.budget)}</strong>
      </div>
      <SpentBar {...props.budget} />
      <p>
        {text(props.budget.spent)} of {text(props.budget.cap)} spent
        <Show when={props.budget.held > 0}>, {text(props.budget.held)} reserved by sessions</Show>
        <span class="muted">
          {' '}
          · {describeCapSource(props.budget.by)}
          <Show when={props.budget.until}>
            {(until) => `, begins again ${formatTimeWithDay(until(), nowForAges())}`}
          </Show>
        </span>
      </p>
      <Show when={canBeRaised(props.budget) && offers('setBudget')}>
        <details>
          <summary>
            Raise<span class="visually-hidden"> the budget of {owner()}</span>
          </summary>
          <AmountForm
            label={`Raise the budget of ${owner()} by`}
            metric={props.budget.metric}
            amount={suggestBudgetRaise(props.budget.metric, props.budget.cap, props.budget.spent)}
            says="Raise"
            icon={<Icon name="plus" />}
            hint={(amount) => `${text(props.budget.cap + amount)} in all.`}
            send={raise}
          />
        </details>
      </Show>
    </li>
  );
}
