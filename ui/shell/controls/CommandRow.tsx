import { type JSX, Show } from 'solid-js';
import { useDashboard } from '../dashboard.ts';
import { IfOffered } from './IfOffered.tsx';
import { useStore } from '../useStore.ts';

/** Why what sends a command is disabled while the runner does not answer. */
export const AWAY = 'The runner does not answer. Try again when it is back.';

/**
 * Command buttons of a job, disabled while the runner does not answer, and left out where the person may not send them.
 * Keep text fields outside.
 */
export function CommandRow(props: { class?: string; children: JSX.Element }) {
  return (
    <IfOffered to="resume">
      <Commands {...props} />
    </IfOffered>
  );
}

function Commands(props: { class?: string; children: JSX.Element }) {
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
