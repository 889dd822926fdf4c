import { Show } from 'solid-js';

/** How much waits for the person at a place; nothing where nothing does. */
export function Badge(props: { waiting: number }) {
  return (
    <Show when={props.waiting > 0}>
      <b class="badge">
        {props.waiting}
        <span class="visually-hidden"> waiting</span>
      </b>
    </Show>
  );
}
