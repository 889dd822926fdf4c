import { MAX_MESSAGE_CHARS } from '../../src/domain/jobLimits.ts';
import { createSignal, createUniqueId } from 'solid-js';
import { Icon } from '../shell/Icon.tsx';

interface ReplyFormProps {
  label: string;
  /** What the button says. */
  says: string;
  /** True when the text was taken: it is cleared then, and kept when not. */
  send: (text: string) => Promise<boolean>;
  placeholder?: string;
  rows?: number;
}

/** A text for the job or a forge. Ctrl+Enter sends it, as the button does. */
export function ReplyForm(props: ReplyFormProps) {
  const [text, setText] = createSignal('');
  const [busy, setBusy] = createSignal(false);
  const id = createUniqueId();
  const send = async () => {
    const said = text().trim();
    if (said === '' || busy()) return;
    setBusy(true);
    if (await props.send(said)) setText('');
    setBusy(false);
  };
  return (
    <form
      class="reply stack"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label for={id}>{props.label}</label>
      <textarea
        id={id}
        rows={props.rows ?? 3}
        maxlength={MAX_MESSAGE_CHARS}
        placeholder={props.placeholder}
        value={text()}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
        }}
      />
      <button type="submit" class="self-start" disabled={busy() || text().trim() === ''}>
        <Icon name="send" /> {props.says}
      </button>
    </form>
  );
}
