import { For, Show } from 'solid-js';
import { Icon } from './Icon.tsx';
import { explain } from './wayOut.ts';

/** An error in place of what it kept from being shown; `retry` is offered as a button where there is one. */
export function Problem(props: { error: unknown; retry?: () => void }) {
  const explained = () => explain(props.error);
  return (
    <div class="problem" role="alert">
      <Icon name="warn" />
      <div class="stack">
        <p>
          <strong>{explained().title}.</strong> {explained().detail}
        </p>
        <Show when={explained().fields.length > 0}>
          <ul>
            <For each={explained().fields}>
              {({ pointer, message }) => (
                <li>
                  <code>{pointer}</code> {message}
                </li>
              )}
            </For>
          </ul>
        </Show>
        <Show when={explained().wayOut}>{(wayOut) => <p>{wayOut()}</p>}</Show>
        <p class="row">
          <Show when={props.retry}>
            {(retry) => (
              <button type="button" onClick={() => retry()()}>
                <Icon name="redo" /> Try again
              </button>
            )}
          </Show>
          <Show when={explained().requestId}>
            {(id) => (
              <small>
                Request <code>{id()}</code>
              </small>
            )}
          </Show>
        </p>
      </div>
    </div>
  );
}
