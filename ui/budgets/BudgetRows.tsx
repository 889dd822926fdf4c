import { createMemo, For, Show } from 'solid-js';
import type { BudgetView } from '../../src/contract/schema/policy/budget.ts';
import { BudgetRow } from './BudgetRow.tsx';

const toBudgetRowKey = ({ scope, key, metric }: BudgetView): string => `${scope} ${metric} ${key}`;

/** Rows are kept by budget, so that what is typed into one survives a new read. */
export function BudgetRows(props: {
  budgets: readonly BudgetView[];
  jobId?: string;
  onChanged: () => void;
}) {
  const byName = createMemo(() => new Map(props.budgets.map((one) => [toBudgetRowKey(one), one])));
  return (
    <ul class="plain budget-rows">
      <For each={[...byName().keys()]}>
        {(name) => (
          <Show when={byName().get(name)}>
            {(budget) => (
              <BudgetRow
                budget={budget()}
                onChanged={props.onChanged}
                {...(props.jobId === undefined ? {} : { jobId: props.jobId })}
              />
            )}
          </Show>
        )}
      </For>
    </ul>
  );
}
