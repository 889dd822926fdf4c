import { createEffect, createSignal, on, Show } from 'solid-js';
import { FieldFrame, type FieldProps } from './FieldFrame.tsx';
import { parseTypedValue } from './parseTypedValue.ts';

/** What stands for a secret that is set; sent back, it means: leave it as it is. */
const HIDDEN = '********';

/** A secret: whether it is set, a new one in its place, or none. The page never has it. */
export function SecretField(props: FieldProps) {
  const [isOpen, setOpen] = createSignal(false);
  const [typedText, setTypedText] = createSignal('');
  const getHeldValue = () => props.form.readAt(props.field.path);
  const isSet = () => getHeldValue() !== undefined && getHeldValue() !== '';
  const close = () => {
    setOpen(false);
    setTypedText('');
  };
  createEffect(on(() => props.form.resets(), close, { defer: true }));
  const type = (text: string) => {
    setTypedText(text);
    const parsedField = parseTypedValue(text, { ...props.field, required: false });
    if ('wrong' in parsedField) props.form.setWrong(props.field.pointer, parsedField.wrong);
    else
      props.form.change(
        props.field.path,
        // An emptied field leaves the secret unchanged; only the button removes it.
        text === '' ? props.form.readFirst(props.field.path) : parsedField.value,
      );
  };
  return (
    <FieldFrame {...props}>
      {(ids) => (
        <Show
          when={isSet() && !isOpen()}
          fallback={
            <input
              id={ids.control}
              type="password"
              autocomplete="new-password"
              spellcheck={false}
              placeholder={isOpen() ? 'The new secret' : 'Not set'}
              aria-describedby={ids.described}
              aria-invalid={props.form.wrong(props.field.pointer) !== null}
              value={typedText()}
              onInput={({ currentTarget }) => {
                setOpen(true);
                type(currentTarget.value);
              }}
            />
          }
        >
          <div class="row">
            <span class="pill good">{getHeldValue() === HIDDEN ? 'Set, not shown' : 'Set'}</span>
            <button type="button" id={ids.control} onClick={() => setOpen(true)}>
              Replace
              <span class="visually-hidden"> {props.field.label}</span>
            </button>
            <button
              type="button"
              class="danger"
              onClick={() => {
                close();
                props.form.change(props.field.path, undefined);
              }}
            >
              Remove
              <span class="visually-hidden"> {props.field.label}</span>
            </button>
          </div>
        </Show>
      )}
    </FieldFrame>
  );
}
