import type { JSX } from 'solid-js';
import { useDashboard } from './dashboard.ts';
import { useStore } from './useStore.ts';

/**
 * Buttons that send commands: disabled while the runner does not answer. Fields for texts belong
 * outside: what is typed meanwhile is kept.
 */
export function CommandRow(props: { class?: string; children: JSX.Element }) {
  const lostSince = useStore(useDashboard().shell, (context) => context.lostSince);
  return (
    <fieldset class={`row ${props.class ?? ''}`} disabled={lostSince() !== null}>
      {props.children}
    </fieldset>
  );
}
