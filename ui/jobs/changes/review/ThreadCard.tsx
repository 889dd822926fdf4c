import { createSignal, Index, type JSX, Show } from 'solid-js';
import { nowForAges } from '../../../shell/signals/nowForAges.ts';
import { formatAge, formatDateTime } from '../../jobText.ts';
import { CommentBody } from './CommentBody.tsx';
import type { ThreadWithComments } from './threads.ts';

interface ThreadCardProps {
  of: ThreadWithComments;
  /** The lines that it is about, where they are in the diff. */
  lines: readonly string[];
  /** null = no answers are possible. */
  reply: (() => void) | null;
  /** null = it cannot be resolved from here. */
  resolve: ((resolved: boolean) => Promise<boolean>) | null;
  children?: JSX.Element;
}

/** The comments at one place. A resolved thread is closed at first. */
export function ThreadCard(props: ThreadCardProps) {
  const [open, setOpen] = createSignal(!props.of.thread.resolved);
  const [busy, setBusy] = createSignal(false);
  const first = () => props.of.comments[0];
  // One that is reopened elsewhere is shown, though it was closed here.
  const isShown = () => open() || !props.of.thread.resolved;
  const resolve = async (send: (resolved: boolean) => Promise<boolean>) => {
    const resolved = !props.of.thread.resolved;
    setBusy(true);
    if ((await send(resolved)) && resolved) setOpen(false);
    setBusy(false);
  };
  return (
    <article class="thread" aria-label={`Thread of ${first()?.author ?? 'unknown'}`}>
      <Show when={props.of.thread.resolved}>
        <p class="row muted">
          Resolved · {props.of.comments.length}{' '}
          {props.of.comments.length === 1 ? 'comment' : 'comments'}
          <button
            type="button"
            class="link"
            aria-expanded={open()}
            onClick={() => setOpen(!open())}
          >
            {open() ? 'Hide' : 'Show'}
          </button>
        </p>
      </Show>
      <Show when={isShown()}>
        <ul class="plain">
          <Index each={props.of.comments}>
            {(comment) => (
              <li>
                <p class="said-by">
                  <strong>
                    <bdi>{comment().author}</bdi>
                  </strong>{' '}
                  <time class="muted" datetime={comment().at} title={formatDateTime(comment().at)}>
                    {formatAge(comment().at, nowForAges())}
                  </time>
                </p>
                <CommentBody body={comment().body} lines={props.lines} />
              </li>
            )}
          </Index>
        </ul>
        {props.children}
        <div class="row">
          <Show when={props.reply}>
            {(reply) => (
              <button type="button" class="thread-reply" onClick={() => reply()()}>
                Reply
              </button>
            )}
          </Show>
          <Show when={props.resolve}>
            {(send) => (
              <button type="button" disabled={busy()} onClick={() => void resolve(send())}>
                {props.of.thread.resolved ? 'Reopen' : 'Resolve'}
              </button>
            )}
          </Show>
        </div>
      </Show>
    </article>
  );
}
