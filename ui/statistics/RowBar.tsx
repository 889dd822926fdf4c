import { For } from 'solid-js';
import { type Bar, stackBarParts, sumBarParts } from './chartShapes.ts';

/** A bar within a cell of a table: its length against `top`. The number is in the row. */
export function RowBar(props: { bar: Bar; top: number }) {
  return (
    <svg
      class="row-bar"
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      aria-hidden="true"
      data-total={sumBarParts(props.bar)}
    >
      <For each={stackBarParts(props.bar, Math.max(1, props.top))}>
        {({ tone, from, share }) => (
          <rect class={`part ${tone}`} x={from * 100} width={share * 100} y="0" height="10" />
        )}
      </For>
    </svg>
  );
}
