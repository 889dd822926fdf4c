import { capitalizeFirst } from '../../src/base/text/capitalizeFirst.ts';
import { createUniqueId, For, Show, type JSX } from 'solid-js';
import type { Form, FormError } from './createForm.ts';
import type { FormField } from './formSchema.ts';

export interface FieldProps {
  field: FormField;
  form: Form;
  errors: readonly FormError[];
  /** Stands beside the label of a value, such as where it comes from. */
  beside?: ((field: FormField) => JSX.Element) | undefined;
  /** Whether a value is shown; default: each is. A group without one is left out. */
  isShown?: ((field: FormField) => boolean) | undefined;
  /** Id that the elements of the form begin with, where a page has more than one form. */
  idStart?: string | undefined;
}

interface FieldIds {
  control: string;
  described: string;
}

/** The frame of each control: label, help, error, and the way back to the default. */
export function FieldFrame(
  props: FieldProps & {
    /** The label stands after a check box. */
    isCheck?: boolean;
    children: (ids: FieldIds) => JSX.Element;
  },
) {
  const id = `${props.idStart ?? 'f'}-${createUniqueId()}`;
  const ids = { control: id, described: `${id}-help` };
  const wrongs = () => {
    const problem = props.form.wrong(props.field.pointer);
    if (problem !== null) return [problem];
    const isMine = (pointer: string) =>
      pointer === props.field.pointer ||
      (props.field.kind !== 'group' &&
        props.field.kind !== 'record' &&
        pointer.startsWith(`${props.field.pointer}/`));
    return props.errors.filter(({ pointer }) => isMine(pointer)).map(({ message }) => message);
  };
  const hasDefault = () =>
    props.field.schema.default !== undefined &&
    props.field.kind !== 'secret' &&
    props.field.kind !== 'record';
  const isDefault = () => {
    const value = props.form.readAt(props.field.path);
    return (
      value === undefined || JSON.stringify(value) === JSON.stringify(props.field.schema.default)
    );
  };
  return (
    <div
      class="form-field"
      classList={{ changed: props.form.isChanged(props.field.path), wrong: wrongs().length > 0 }}
    >
      <div class="form-label" classList={{ 'form-check': props.isCheck === true }}>
        <Show when={props.isCheck}>{props.children(ids)}</Show>
        <label for={ids.control}>
          {props.field.label}
          <Show when={props.field.required && props.field.schema.default === undefined}>
            <span class="muted"> (required)</span>
          </Show>
        </label>
        {props.beside?.(props.field)}
        <Show when={hasDefault() && !isDefault()}>
          <button
            type="button"
            class="quiet form-small"
            onClick={() => props.form.change(props.field.path, undefined)}
          >
            Use the default
            <span class="visually-hidden"> of {props.field.label}</span>
          </button>
        </Show>
      </div>
      <Show when={!props.isCheck}>{props.children(ids)}</Show>
      <div id={ids.described} class="form-said">
        <For each={wrongs()}>
          {(why) => (
            <p class="form-wrong" role="alert">
              {why}
            </p>
          )}
        </For>
        <Show when={props.field.help}>
          <p class="form-help">{capitalizeFirst(props.field.help)}</p>
        </Show>
      </div>
    </div>
  );
}
