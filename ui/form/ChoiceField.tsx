import { For, Show } from 'solid-js';
import { FieldFrame } from './FieldFrame.tsx';
import type { FieldProps } from './fieldProps.ts';

/** One of a few texts; none where the value may be left out. */
export function ChoiceField(props: FieldProps) {
  const value = () => {
    const held = props.form.at(props.field.path) ?? props.field.schema.default;
    return typeof held === 'string' ? held : '';
  };
  return (
    <FieldFrame {...props}>
      {(ids) => (
        <select
          id={ids.control}
          aria-describedby={ids.described}
          value={value()}
          onChange={({ currentTarget }) =>
            props.form.change(
              props.field.path,
              currentTarget.value === '' ? undefined : currentTarget.value,
            )
          }
        >
          <Show when={props.field.schema.default === undefined}>
            <option value="" selected={value() === ''}>
              {props.field.required ? 'Choose …' : 'Not set'}
            </option>
          </Show>
          <For each={props.field.choices}>
            {(choice) => (
              <option value={choice} selected={value() === choice}>
                {choice}
              </option>
            )}
          </For>
        </select>
      )}
    </FieldFrame>
  );
}
