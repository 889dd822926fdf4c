import { createSignal, For, Show } from 'solid-js';
import {
  type BudgetMetric,
  METRICS_OF,
  formatWrittenAmount,
} from '../../src/base/spending/budgetScopes.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { AmountForm } from './AmountForm.tsx';
import { METRIC_NAMES } from './budgetText.ts';

const SCOPES = [
  { scope: 'day', says: 'Each day (UTC)' },
  { scope: 'week', says: 'Each week (UTC, from Monday)' },
  { scope: 'runner', says: 'This runner, ever' },
  { scope: 'repository', says: 'A repository' },
] as const;

type Scope = (typeof SCOPES)[number]['scope'];

export function CapForm(props: { onChanged: () => void }) {
  const { run } = useDashboard();
  const [scope, setScope] = createSignal<Scope>('day');
  const [metric, setMetric] = createSignal<BudgetMetric>('usd');
  const [key, setKey] = createSignal('');
  const send = async (amount: number, onRefusal: (error: unknown) => void) => {
    const of = scope();
    const wasTaken = await run(
      `The cap is ${formatWrittenAmount(metric(), amount)}.`,
      (client) =>
        client.setBudget(of, {
          ...(of === 'repository' ? { key: key().trim() } : {}),
          caps: { [metric()]: amount },
        }),
      undefined,
      onRefusal,
    );
    if (wasTaken) props.onChanged();
    return wasTaken;
  };
  return (
    <div class="set-cap">
      <label class="field">
        Scope
        <select
          value={scope()}
          onChange={(event) => {
            const chosenScope = SCOPES.find((one) => one.scope === event.currentTarget.value);
            if (chosenScope) setScope(chosenScope.scope);
          }}
        >
          <For each={SCOPES}>{(one) => <option value={one.scope}>{one.says}</option>}</For>
        </select>
      </label>
      <Show when={scope() === 'repository'}>
        <label class="field">
          Repository
          <input
            value={key()}
            placeholder="owner/name"
            autocomplete="off"
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </label>
      </Show>
      <label class="field">
        Unit
        <select
          value={metric()}
          onChange={(event) => {
            const chosenMetric = METRICS_OF[scope()].find(
              (one) => one === event.currentTarget.value,
            );
            if (chosenMetric) setMetric(chosenMetric);
          }}
        >
          <For each={METRICS_OF[scope()]}>
            {(one) => <option value={one}>{METRIC_NAMES[one]}</option>}
          </For>
        </select>
      </label>
      <AmountForm label="Limit" metric={metric()} amount={null} says="Set limit" send={send} />
    </div>
  );
}
