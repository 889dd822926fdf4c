import { createEffect, For, on, onCleanup } from 'solid-js';
import { useDashboard } from './dashboard.ts';
import { Icon } from './Icon.tsx';
import type { Toast } from './shellStore.ts';
import { useStore } from './useStore.ts';
import { explain } from './wayOut.ts';

/** How long good news stay, ms; what went wrong stays until it is dismissed. */
const GOOD_NEWS_MS = 5_000;

function ToastCard(props: { toast: Toast; dismiss: () => void }) {
  if (props.toast.kind === 'done') {
    const timer = setTimeout(() => props.dismiss(), GOOD_NEWS_MS);
    onCleanup(() => clearTimeout(timer));
  }
  const explained = () => explain(props.toast.error);
  const fields = () => explained().fields.map(({ pointer, message }) => `${pointer} ${message}`);
  return (
    <li class={`toast ${props.toast.kind}`}>
      <Icon name={props.toast.kind === 'done' ? 'check' : 'warn'} />
      <div class="grow">
        <p>
          {props.toast.kind === 'done'
            ? props.toast.text
            : `${props.toast.text}: ${explained().detail}`}
        </p>
        {props.toast.kind === 'error' && (
          <small>{[...fields(), explained().wayOut ?? ''].filter(Boolean).join(' ')}</small>
        )}
      </div>
      <button
        type="button"
        class="quiet icon-only"
        aria-label="Dismiss"
        onClick={() => props.dismiss()}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

/** What was just done, and what went wrong with it; read out to those who do not see it. */
export function Toasts() {
  const { shell } = useDashboard();
  const toasts = useStore(shell, (context) => context.toasts);
  let list: HTMLUListElement | undefined;
  // The layer above everything, open dialogs included.
  createEffect(
    on(toasts, (shown) => {
      if (!list?.isConnected) return;
      if (list.matches(':popover-open')) list.hidePopover();
      if (shown.length > 0) list.showPopover();
    }),
  );
  return (
    <div aria-live="polite">
      <ul class="toasts plain" popover="manual" ref={list}>
        <For each={toasts()}>
          {(toast) => (
            <ToastCard toast={toast} dismiss={() => shell.trigger.dismissed({ id: toast.id })} />
          )}
        </For>
      </ul>
    </div>
  );
}
