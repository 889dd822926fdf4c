import { type JSX, onMount } from 'solid-js';

/**
 * A modal dialog that is open while it is mounted; Escape and a click outside close it. Focus
 * returns by itself.
 */
export function Dialog(props: {
  label: string;
  class?: string;
  close: () => void;
  children: JSX.Element;
}) {
  let dialog: HTMLDialogElement | undefined;
  onMount(() => dialog?.showModal());
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, which the element does by itself
    <dialog
      ref={dialog}
      class={props.class}
      aria-label={props.label}
      onClose={() => props.close()}
      onClick={(event) => event.target === dialog && dialog?.close()}
    >
      {props.children}
    </dialog>
  );
}
