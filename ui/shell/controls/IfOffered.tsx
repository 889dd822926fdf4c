import { type JSX, Show } from 'solid-js';
import type { RouteName } from '../../../src/contract/routes/addresses.ts';
import { useDashboard } from '../dashboard.ts';

/** What sends a command, where the person may send it: on the page of a team no button answers that the role is too low. */
export function IfOffered(props: { to: RouteName; children: JSX.Element; fallback?: JSX.Element }) {
  const { offers } = useDashboard();
  return (
    <Show when={offers(props.to)} fallback={props.fallback}>
      {props.children}
    </Show>
  );
}
