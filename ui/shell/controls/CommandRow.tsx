import { type JSX, Show } from 'solid-js';
import { useDashboard } from '../dashboard.ts';
import { useStore } from '../useStore.ts';

/** Why what sends a command is disabled while the runner does not answer. */
export const AWAY = 'The runner does not answer. Try again when it is back.';

/** Command buttons, disabled while the runner does not answer. Keep text fields outside. */
export function CommandRow(props: { class?: string; children: JSX.Element }) {
  const lostSince = useStore(useDashboard().shell, (context) => context.lostSince);
  return (
    <fieldset
      class={`row ${props.class ?? ''}`}
      disabled={lostSince() !== null}
      title={lostSince() === null ? undefined : AWAY}
    >
      {props.children}
      <Show when={lostSince() !== null}>
        <small class="away">The runner does not answer.</small>
      </Show>
    </fieldset>
  );
}
