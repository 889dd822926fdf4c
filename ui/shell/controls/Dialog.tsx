import { type JSX, onCleanup, onMount } from 'solid-js';

/** A modal dialog while mounted; Escape and a click outside close it. Focus then returns. */
export function Dialog(props: {
  label: string;
  class?: string;
  close: () => void;
  /** What Ctrl+Enter does, wherever the focus is. */
  submit?: () => void;
  children: JSX.Element;
}) {
  let dialog: HTMLDialogElement | undefined;
  let mounted = true;
  onMount(() => dialog?.showModal());
  // Only closing it returns the focus; taking it out of the page does not.
  onCleanup(() => {
    mounted = false;
    dialog?.close();
  });
  return (
    <dialog
      ref={dialog}
      class={props.class}
      aria-label={props.label}
      onClose={() => mounted && props.close()}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        props.submit?.();
      }}
      onClick={(event) => event.target === dialog && dialog?.close()}
    >
      {props.children}
    </dialog>
  );
}
