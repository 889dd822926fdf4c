import { createSignal, createUniqueId, For, onMount, Show } from 'solid-js';
import { MAX_COMMENT_CHARS } from '../../../../src/base/limits/inputLimits.ts';
import { Icon } from '../../../shell/controls/Icon.tsx';
import { CommentBody } from './CommentBody.tsx';
import type { DraftComment } from './reviewDraft.ts';
import { formatSuggestion } from './suggestion.ts';

interface ComposerProps {
  comment: DraftComment;
  lines: readonly string[];
  /** Numbers of lines at which it may begin, the last one its own; empty where it has no line. */
  starts: readonly number[];
  change: (change: Partial<DraftComment>) => void;
  add: () => void;
  /** Sends it alone, now; null = it cannot be sent. */
  sendNow: (() => Promise<boolean>) | null;
  remove: () => void;
}

/** The field of a comment. Ctrl+Enter adds it to the review, Escape leaves an empty one. */
export function Composer(props: ComposerProps) {
  const [preview, setPreview] = createSignal(false);
  const [busy, setBusy] = createSignal(false);
  const id = createUniqueId();
  let field: HTMLTextAreaElement | undefined;
  const isEmpty = () => props.comment.body.trim() === '';
  const add = () => !isEmpty() && !busy() && props.add();
  const send = async () => {
    if (isEmpty() || busy() || !props.sendNow) return;
    setBusy(true);
    await props.sendNow();
    setBusy(false);
  };
  const suggest = () => {
    const before = props.comment.body;
    const gap = before === '' || before.endsWith('\n') ? '' : '\n';
    props.change({ body: `${before}${gap}${formatSuggestion(props.lines)}` });
    field?.focus();
  };
  const where = () =>
    props.comment.startLine === props.comment.line
      ? `line ${props.comment.line}`
      : `lines ${props.comment.startLine} to ${props.comment.line}`;
  onMount(() => {
    // Its row is drawn a moment after its content.
    if (isEmpty()) queueMicrotask(() => field?.focus());
  });
  return (
    <div class="composer stack">
      <div class="row">
        <label for={id}>
          {props.comment.replyTo === null
            ? `Comment on ${props.comment.path}, ${where()}${props.comment.side === 'before' ? ' (removed)' : ''}`
            : `Reply in ${props.comment.path}`}
        </label>
        <Show when={props.starts.length > 1}>
          <label class="starts">
            from line{' '}
            <select
              class="fit"
              value={props.comment.startLine}
              onChange={(event) => props.change({ startLine: Number(event.currentTarget.value) })}
            >
              <For each={props.starts}>{(line) => <option value={line}>{line}</option>}</For>
            </select>
          </label>
        </Show>
      </div>
      <Show
        when={!preview()}
        fallback={<CommentBody body={props.comment.body} lines={props.lines} />}
      >
        <textarea
          id={id}
          ref={field}
          rows="3"
          dir="auto"
          maxlength={MAX_COMMENT_CHARS}
          placeholder="Markdown. Ctrl+Enter adds it to your review."
          value={props.comment.body}
          onInput={(event) => props.change({ body: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              add();
            } else if (event.key === 'Escape' && isEmpty()) props.remove();
          }}
        />
      </Show>
      <div class="row">
        <button type="button" class="primary" disabled={busy() || isEmpty()} onClick={add}>
          Add to review
        </button>
        <Show when={props.sendNow}>
          <button type="button" disabled={busy() || isEmpty()} onClick={() => void send()}>
            Send now
          </button>
        </Show>
        <Show when={props.lines.length > 0 && props.comment.side === 'after'}>
          <button type="button" class="quiet" disabled={preview()} onClick={suggest}>
            <Icon name="bulb" /> Suggest a change
          </button>
        </Show>
        <button
          type="button"
          class="quiet"
          aria-pressed={preview()}
          disabled={isEmpty()}
          onClick={() => setPreview(!preview())}
        >
          Preview
        </button>
        <button type="button" class="quiet" onClick={() => props.remove()}>
          {isEmpty() ? 'Cancel' : 'Discard'}
        </button>
      </div>
    </div>
  );
}
