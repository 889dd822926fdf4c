import { For, Match, Show, Switch } from 'solid-js';
import { FieldFrame, type FieldProps } from './FieldFrame.tsx';
import type { FormField } from './formSchema.ts';
import { RecordField } from './RecordField.tsx';
import { SecretField } from './SecretField.tsx';
import { TypedField } from './TypedField.tsx';
import './form.css';

/** A choice among a few texts; an empty one if the value may be left out. */
function ChoiceField(props: FieldProps) {
  const value = () => {
    const heldValue = props.form.readAt(props.field.path) ?? props.field.schema.default;
    return typeof heldValue === 'string' ? heldValue : '';
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

const hasShown = (field: FormField, isShown: FieldProps['isShown']): boolean =>
  isShown === undefined ||
  (field.kind === 'group'
    ? field.members.some((member) => hasShown(member, isShown))
    : isShown(field));

/** A group's fields are framed. Values go to `form`; unreadable text is reported at its field. */
export function SchemaForm(props: FieldProps) {
  return (
    <div class="schema-form">
      <For each={props.field.kind === 'group' ? props.field.members : [props.field]}>
        {(field) => (
          <Show when={hasShown(field, props.isShown)}>
            <AnyField {...props} field={field} />
          </Show>
        )}
      </For>
    </div>
  );
}

function AnyField(props: FieldProps) {
  return (
    <Switch fallback={<TypedField {...props} />}>
      <Match when={props.field.kind === 'group'}>
        <fieldset class="form-group">
          <legend>{props.field.label}</legend>
          <Show when={props.field.help}>
            <p class="form-help">{props.field.help}</p>
          </Show>
          <SchemaForm {...props} />
        </fieldset>
      </Match>
      <Match when={props.field.kind === 'record'}>
        <RecordField {...props} fields={SchemaForm} />
      </Match>
      <Match when={props.field.kind === 'secret'}>
        <SecretField {...props} />
      </Match>
      <Match when={props.field.kind === 'choice'}>
        <ChoiceField {...props} />
      </Match>
      <Match when={props.field.kind === 'yes-no'}>
        <FieldFrame {...props} isCheck>
          {(ids) => (
            <input
              type="checkbox"
              id={ids.control}
              aria-describedby={ids.described}
              checked={(props.form.readAt(props.field.path) ?? props.field.schema.default) === true}
              onChange={({ currentTarget }) =>
                props.form.change(props.field.path, currentTarget.checked)
              }
            />
          )}
        </FieldFrame>
      </Match>
    </Switch>
  );
}
