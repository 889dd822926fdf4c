import { createEffect, For, on, onCleanup, Show } from 'solid-js';
import { CodedText } from '../problems/Problem.tsx';
import { useDashboard } from '../dashboard.ts';
import { Icon } from '../controls/Icon.tsx';
import type { Toast } from '../shellStore.ts';
import { undo } from './undoNewest.ts';
import { useStore } from '../useStore.ts';
import { explainProblem } from '../problems/explainProblem.ts';

/** How long good news stay, ms; what went wrong stays until it is dismissed. */
const GOOD_NEWS_MS = 5_000;
/** How long good news stay that can be undone, ms; pointer and focus in it stop the clock. */
const UNDO_MS = 8_000;

/** Calls back after a time in which it was not held. */
function createTimeout(ms: number, onTimeout: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hold = () => clearTimeout(timer);
  const release = () => {
    hold();
    timer = setTimeout(onTimeout, ms);
  };
  onCleanup(hold);
  return { hold, release };
}

function ToastCard(props: { toast: Toast }) {
  const { shell, run } = useDashboard();
  const dismiss = () => shell.trigger.dismissed({ id: props.toast.id });
  const time = createTimeout(props.toast.undo ? UNDO_MS : GOOD_NEWS_MS, dismiss);
  const release = () => props.toast.kind === 'done' && time.release();
  release();
  const explanation = () => explainProblem(props.toast.error);
  const fields = () => explanation().fields.map(({ pointer, message }) => `${pointer} ${message}`);
  return (
    <li
      class={`toast ${props.toast.kind}`}
      onPointerEnter={time.hold}
      onPointerLeave={release}
      onFocusIn={time.hold}
      onFocusOut={release}
    >
      <Icon name={props.toast.kind === 'done' ? 'check' : 'warn'} />
      <div class="grow">
        <p>
          {props.toast.kind === 'done'
            ? props.toast.text
            : `${props.toast.text}: ${explanation().detail}`}
        </p>
        {props.toast.kind === 'error' && (
          <small>
            <CodedText text={[...fields(), explanation().wayOut ?? ''].filter(Boolean).join(' ')} />
          </small>
        )}
      </div>
      <Show when={props.toast.undo}>
        <button
          type="button"
          class="undo"
          aria-keyshortcuts="z"
          title="Undo (z)"
          onClick={() => undo(shell, run, props.toast)}
        >
          Undo
        </button>
      </Show>
      <button type="button" class="quiet icon-only" aria-label="Dismiss" onClick={dismiss}>
        <Icon name="close" />
      </button>
    </li>
  );
}

export function Toasts() {
  const { shell } = useDashboard();
  const toasts = useStore(shell, (context) => context.toasts);
  let list: HTMLUListElement | undefined;
  // The layer above everything, open dialogs included.
  createEffect(
    on(toasts, (shownToasts) => {
      if (!list?.isConnected) return;
      // Hiding it would take the focus from a button in it.
      if (shownToasts.length > 0 && list.contains(document.activeElement)) return;
      if (list.matches(':popover-open')) list.hidePopover();
      if (shownToasts.length > 0) list.showPopover();
    }),
  );
  return (
    <div aria-live="polite">
      <ul class="toasts plain" popover="manual" ref={list}>
        <For each={toasts()}>{(toast) => <ToastCard toast={toast} />}</For>
      </ul>
    </div>
  );
}
