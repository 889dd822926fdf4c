import { For } from 'solid-js';
import type { ChartExtra } from './chartAddress.ts';

const TEXTS: Readonly<Record<ChartExtra, { says: string; title?: string }>> = {
  terms: { says: 'Technical terms' },
  effects: { says: 'All effects' },
  limits: {
    says: 'Failures and limits',
    title: 'Failures, escalations, spent budgets, and where goto_phase may lead',
  },
  runs: {
    says: 'Numbers of last runs',
    title: 'How often each arrow was taken by the last 100 runs',
  },
};

/** Switches for what a chart shows on demand. */
export function ChartExtras(props: {
  offered: readonly ChartExtra[];
  shown: readonly ChartExtra[];
  change: (extras: ChartExtra[]) => void;
}) {
  const turn = (extra: ChartExtra, isOn: boolean) =>
    props.change([...props.shown.filter((one) => one !== extra), ...(isOn ? [extra] : [])]);
  return (
    <For each={props.offered}>
      {(extra) => (
        <label title={TEXTS[extra].title}>
          <input
            type="checkbox"
            checked={props.shown.includes(extra)}
            onChange={({ currentTarget }) => turn(extra, currentTarget.checked)}
          />
          {TEXTS[extra].says}
        </label>
      )}
    </For>
  );
}
