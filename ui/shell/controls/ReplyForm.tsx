import { MAX_MESSAGE_CHARS } from '../../../src/base/limits/jobLimits.ts';
import { createEffect, createSignal, createUniqueId, on, untrack } from 'solid-js';
import { AWAY } from './CommandRow.tsx';
import { useDashboard } from '../dashboard.ts';
import { createDraft } from '../drafts/drafts.ts';
import { Icon } from './Icon.tsx';
import { IfOffered } from './IfOffered.tsx';
import type { DraftKey } from '../drafts/keepText.ts';
import { useStore } from '../useStore.ts';

interface ReplyFormProps {
  label: string;
  says: string;
  /** Where the text is kept until it was sent; must not change while the form is mounted. */
  draft: DraftKey;
  /** True when the text was taken: it is cleared then, and kept when not. */
  send: (text: string) => Promise<boolean>;
  placeholder?: string;
  rows?: number;
  /** Whether it is the answer that most people give. Default: false. */
  isPrimary?: boolean;
  /** What an empty field begins with. Default: nothing. */
  proposal?: string | undefined;
}

/** A text for the job or a forge, where the person may send it. Ctrl+Enter sends it, as the button does. */
export function ReplyForm(props: ReplyFormProps) {
  return (
    <IfOffered to="message">
      <OfferedReply {...props} />
    </IfOffered>
  );
}

function OfferedReply(props: ReplyFormProps) {
  const draft = createDraft(props.draft);
  const [busy, setBusy] = createSignal(false);
  const { shell } = useDashboard();
  const isLost = useStore(shell, (context) => context.lostSince !== null);
  const id = createUniqueId();
  createEffect(
    on(
      () => props.proposal,
      (proposal) => {
        if (proposal !== undefined && untrack(draft.text) === '') draft.write(proposal);
      },
    ),
  );
  const send = async () => {
    const text = draft.text();
    if (text.trim() === '' || busy() || isLost()) return;
    setBusy(true);
    // A text that was typed while this one was being sent is kept.
    if ((await props.send(text.trim())) && draft.text() === text) draft.forget();
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
        dir="auto"
        rows={props.rows ?? 3}
        maxlength={MAX_MESSAGE_CHARS}
        placeholder={props.placeholder}
        value={draft.text()}
        onInput={(event) => draft.write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
          // Out of the field, so that single keys work again; what was typed stays.
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      <button
        type="submit"
        class={props.isPrimary ? 'self-start primary' : 'self-start'}
        disabled={busy() || isLost() || draft.text().trim() === ''}
        title={isLost() ? AWAY : undefined}
      >
        <Icon name="send" /> {props.says}
      </button>
    </form>
  );
}
