import { createEffect, createSignal, on, Show } from 'solid-js';
import { FieldFrame, type FieldProps } from './FieldFrame.tsx';
import { formatFieldValue, parseTypedValue } from './parseTypedValue.ts';

/** A value that is typed: a text, a number, texts one a line, JSON. */
export function TypedField(props: FieldProps) {
  // What is typed stays until it can be read; the form holds values only.
  const [typedText, setTypedText] = createSignal<string | null>(null);
  createEffect(
    on(
      () => props.form.resets(),
      () => setTypedText(null),
      { defer: true },
    ),
  );
  const text = () =>
    typedText() ?? formatFieldValue(props.form.readAt(props.field.path), props.field);
  const type = (next: string) => {
    setTypedText(next);
    const parsedField = parseTypedValue(next, props.field);
    if ('wrong' in parsedField) {
      props.form.setWrong(props.field.pointer, parsedField.wrong);
      return;
    }
    props.form.change(props.field.path, parsedField.value);
  };
  const isWrong = () =>
    props.form.wrong(props.field.pointer) !== null ||
    props.errors.some(({ pointer }) => pointer === props.field.pointer);
  const isLong = () => props.field.kind === 'texts' || props.field.kind === 'json';
  return (
    <FieldFrame {...props}>
      {(ids) => (
        <Show
          when={isLong()}
          fallback={
            <input
              id={ids.control}
              type={props.field.kind === 'number' ? 'number' : 'text'}
              step={props.field.schema.type === 'integer' ? 1 : 'any'}
              min={props.field.schema.minimum}
              max={props.field.schema.maximum}
              dir="auto"
              autocomplete="off"
              spellcheck={false}
              aria-describedby={ids.described}
              aria-invalid={isWrong()}
              value={text()}
              onInput={({ currentTarget }) => type(currentTarget.value)}
              onBlur={() => props.form.wrong(props.field.pointer) === null && setTypedText(null)}
            />
          }
        >
          <textarea
            id={ids.control}
            rows={Math.min(10, Math.max(2, text().split('\n').length))}
            class={props.field.kind === 'json' ? 'mono' : ''}
            spellcheck={false}
            placeholder={props.field.kind === 'texts' ? 'One per line' : ''}
            aria-describedby={ids.described}
            aria-invalid={isWrong()}
            value={text()}
            onInput={({ currentTarget }) => type(currentTarget.value)}
            onBlur={() => props.form.wrong(props.field.pointer) === null && setTypedText(null)}
          />
        </Show>
      )}
    </FieldFrame>
  );
}
