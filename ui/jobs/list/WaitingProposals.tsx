import { Show } from 'solid-js';
import { formatCount } from '../../../src/base/text/formatCount.ts';
import { toRouteHash } from '../../shell/navigation/router.ts';

/** The proposals that need a person beside the jobs of the list; nothing where none does. */
export function WaitingProposals(props: { count: number }) {
  return (
    <Show when={props.count > 0}>
      <p class="waiting-proposals">
        <a href={toRouteHash(['inbox'])}>
          {formatCount(props.count, 'proposal')} {props.count === 1 ? 'waits' : 'wait'} for you too
        </a>
      </p>
    </Show>
  );
}
