import { For, Show } from 'solid-js';

/** A choice of one value or all; nothing where fewer than `least` values exist, by default 2. */
export function Choice(props: {
  label: string;
  all: string;
  values: readonly string[];
  value: string | null;
  least?: number;
  /** A value as people read it; default: as it is. */
  formatValue?: (value: string) => string;
  change: (value: string | null) => void;
}) {
  return (
    <Show when={props.values.length >= (props.least ?? 2) || props.value !== null}>
      <select
        aria-label={props.label}
        value={props.value ?? ''}
        onChange={(event) => props.change(event.currentTarget.value || null)}
      >
        <option value="">{props.all}</option>
        <For
          each={[...new Set(props.value === null ? props.values : [props.value, ...props.values])]}
        >
          {(value) => (
            <option value={value} selected={value === props.value}>
              {props.formatValue?.(value) ?? value}
            </option>
          )}
        </For>
      </select>
    </Show>
  );
}
