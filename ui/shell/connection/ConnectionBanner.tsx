import { Show } from 'solid-js';
import { formatTimeOfDay } from '../../jobs/jobText.ts';
import { useDashboard } from '../dashboard.ts';
import { Icon } from '../controls/Icon.tsx';
import { useStore } from '../useStore.ts';

/** Reports a runner that does not answer. Lies over the page, which does not move. */
export function ConnectionBanner(props: { tryNow: () => void }) {
  const { shell } = useDashboard();
  const since = useStore(shell, (context) => context.lostSince);
  return (
    <div role="status" class="connection">
      <Show when={since()}>
        {(at) => (
          <div class="connection-lost">
            <Icon name="plug" />
            <p class="grow">
              <strong>No connection to the runner since {formatTimeOfDay(at())}.</strong> Start it
              with <code>svc start</code>; this page reconnects.
            </p>
            <button type="button" onClick={() => props.tryNow()}>
              Try now
            </button>
          </div>
        )}
      </Show>
    </div>
  );
}
