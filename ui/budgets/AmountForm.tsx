import { createSignal, createUniqueId, type JSX, Show } from 'solid-js';
import type { BudgetMetric } from '../../src/base/spending/budgetScopes.ts';
import { AWAY } from '../shell/controls/CommandRow.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { Problem } from '../shell/problems/Problem.tsx';
import { useStore } from '../shell/useStore.ts';
import { METRIC_NAMES } from './budgetText.ts';
import { parseTypedAmount } from './budgetAmounts.ts';

interface AmountFormProps {
  label: string;
  metric: BudgetMetric;
  /** What the field holds until something is typed; null = nothing. */
  amount: number | null;
  says: string;
  icon?: JSX.Element;
  isPrimary?: boolean;
  /** What the amount would come to. */
  hint?: (amount: number) => string;
  /** Sends the amount; true = it was accepted. A refusal goes to `onRefusal`. */
  send: (amount: number, onRefusal: (error: unknown) => void) => Promise<boolean>;
}

export function AmountForm(props: AmountFormProps) {
  const [typedText, setTypedText] = createSignal<string | null>(null);
  const [wrong, setWrong] = createSignal('');
  const [refusal, setRefusal] = createSignal<unknown>(null);
  const [busy, setBusy] = createSignal(false);
  const isLost = useStore(useDashboard().shell, (context) => context.lostSince !== null);
  const id = createUniqueId();
  const text = () => typedText() ?? (props.amount === null ? '' : String(props.amount));
  const read = () => parseTypedAmount(props.metric, text());
  const hint = () => {
    const is = read();
    return 'amount' in is ? (props.hint?.(is.amount) ?? '') : '';
  };
  let field: HTMLInputElement | undefined;

  async function send(): Promise<void> {
    if (busy() || isLost()) return;
    const is = read();
    setRefusal(null);
    setWrong('wrong' in is ? is.wrong : '');
    if ('wrong' in is) return field?.focus();
    setBusy(true);
    if (await props.send(is.amount, setRefusal)) setTypedText(null);
    setBusy(false);
  }

  return (
    <form
      class="amount-form"
      novalidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label for={id}>{props.label}</label>
      <div class="row">
        <span class="amount-field">
          <Show when={props.metric === 'usd'}>
            <span aria-hidden="true">$</span>
          </Show>
          <input
            id={id}
            ref={field}
            inputmode={props.metric === 'usd' ? 'decimal' : 'numeric'}
            autocomplete="off"
            value={text()}
            aria-invalid={wrong() === '' ? undefined : 'true'}
            aria-describedby={`${id}-says`}
            onInput={(event) => {
              setTypedText(event.currentTarget.value);
              setWrong('');
            }}
            onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
          />
          <Show when={props.metric !== 'usd'}>
            <span>{METRIC_NAMES[props.metric].toLowerCase()}</span>
          </Show>
        </span>
        <button
          type="submit"
          class={props.isPrimary ? 'primary' : ''}
          disabled={busy() || isLost()}
          title={isLost() ? AWAY : undefined}
        >
          {props.icon} {props.says}
        </button>
      </div>
      <p id={`${id}-says`} class={wrong() === '' ? 'muted' : 'wrong'} aria-live="polite">
        {wrong() || hint()}
      </p>
      <Show when={refusal()}>{(error) => <Problem error={error()} />}</Show>
    </form>
  );
}
