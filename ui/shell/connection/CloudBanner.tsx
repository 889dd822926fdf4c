import { Show } from 'solid-js';
import { formatCount } from '../../../src/base/text/formatCount.ts';
import { formatMinuteWithDay } from '../../jobs/jobText.ts';
import { Icon } from '../controls/Icon.tsx';
import { useDashboard } from '../dashboard.ts';
import { useStore } from '../useStore.ts';

/** Reports a control plane that does not answer its runner: what this means for what the page shows and offers. */
export function CloudBanner() {
  const { shell } = useDashboard();
  const waits = useStore(shell, (context) => context.cloudWait);
  return (
    <div role="status" class="page-notice">
      <Show when={waits()}>
        {(wait) => (
          <div class="page-notice-text" data-notice="cloud-away">
            <Icon name="plug" />
            <p>
              <strong>
                The control plane has not answered since{' '}
                {formatMinuteWithDay(wait().since, Date.now())}.
              </strong>{' '}
              Agents at work continue.{' '}
              <Show when={wait().changes > 0}>
                {formatCount(wait().changes, 'change waits', 'changes wait')} for it, so what this
                page shows may be ahead of it.{' '}
              </Show>
              Until it answers, nothing can be started, answered or changed here.
            </p>
          </div>
        )}
      </Show>
    </div>
  );
}
