import { toFields } from '../../src/base/json/untrusted.ts';
import { type Component, createMemo, createSignal, createUniqueId, For, Show } from 'solid-js';
import type { FieldProps } from './FieldFrame.tsx';
import { findFormEntrySchema, buildFormField } from './formSchema.ts';

const listRecordNames = (value: unknown): string[] => Object.keys(toFields(value));

const createEmptyEntry = (kind: string): unknown =>
  kind === 'group' || kind === 'record' ? {} : kind === 'texts' ? [] : '';

/** Entries with names of their own: each can be changed, removed, and new ones added. */
export function RecordField(props: FieldProps & { fields: Component<FieldProps> }) {
  const id = createUniqueId();
  const [name, setName] = createSignal('');
  const [wrong, setWrong] = createSignal<string | null>(null);
  const names = createMemo(() => listRecordNames(props.form.readAt(props.field.path)));
  const rules = () => findFormEntrySchema(props.field.schema);
  const add = () => {
    const next = name().trim();
    const form = rules()?.names;
    if (next === '') return setWrong('A new entry needs a name.');
    if (names().includes(next)) return setWrong(`${next} exists already.`);
    if (form && !form.test(next)) return setWrong(`The name must match ${form.source}.`);
    setWrong(null);
    setName('');
    const entry = rules()?.entry ?? {};
    const path = [...props.field.path, next];
    return props.form.change(
      path,
      entry.default ?? createEmptyEntry(buildFormField(entry, path).kind),
    );
  };
  return (
    <fieldset class="form-group">
      <legend>{props.field.label}</legend>
      <Show when={props.field.help}>
        <p class="form-help">{props.field.help}</p>
      </Show>
      <For each={props.errors.filter(({ pointer }) => pointer === props.field.pointer)}>
        {({ message }) => (
          <p class="form-wrong" role="alert">
            {message}
          </p>
        )}
      </For>
      <For each={names()} fallback={<p class="muted">None.</p>}>
        {(key) => {
          const field = buildFormField(rules()?.entry ?? {}, [...props.field.path, key]);
          const namedField = { ...field, label: key };
          return (
            <div class="form-entry">
              <Show when={field.kind === 'group'}>
                <strong>
                  <bdi>{key}</bdi>
                </strong>
              </Show>
              <props.fields {...props} field={namedField} />
              <button
                type="button"
                class="quiet danger form-small"
                onClick={() => props.form.change([...props.field.path, key], undefined)}
              >
                Remove <bdi>{key}</bdi>
              </button>
            </div>
          );
        }}
      </For>
      <div class="row">
        <input
          id={id}
          type="text"
          autocomplete="off"
          aria-label={`Name of a new entry of ${props.field.label}`}
          placeholder="Name"
          value={name()}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
        <button type="button" onClick={add}>
          Add
          <span class="visually-hidden"> to {props.field.label}</span>
        </button>
      </div>
      <Show when={wrong()}>{(why) => <p class="form-wrong">{why()}</p>}</Show>
    </fieldset>
  );
}
