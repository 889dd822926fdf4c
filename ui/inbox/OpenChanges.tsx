import { createSignal, For, Match, Show, Switch } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import type { PrMapping } from '../../src/contract/schema/forge/pr.ts';
import { LazyDiffView } from '../jobs/changes/LazyDiffView.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { CardBoundary } from '../shell/problems/CardBoundary.tsx';
import { Problem } from '../shell/problems/Problem.tsx';

/** What the job's open local pull requests change; read when opened. */
export function OpenChanges(props: { job: Job }) {
  return (
    <For
      each={props.job.prMappings.filter(
        ({ state, forge }) => state === 'open' && forge === 'local',
      )}
    >
      {(pr) => <Changes pr={pr} />}
    </For>
  );
}

function Changes(props: { pr: PrMapping }) {
  const { client } = useDashboard();
  const [open, setOpen] = createSignal(false);
  const [diff, { refetch }] = createReading(open, () =>
    client.pullRequestDiff(props.pr.repo, props.pr.number),
  );
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Changes of{' '}
        <bdi>
          {props.pr.repo}#{props.pr.number}
        </bdi>
        : <bdi>{props.pr.title}</bdi>
      </summary>
      <Show when={open()}>
        <Switch fallback={<p class="muted">Loading …</p>}>
          <Match when={diff.error}>
            <Problem error={diff.error} retry={() => void refetch()} />
          </Match>
          <Match when={diff.latest}>
            {(text) => (
              <CardBoundary>
                <LazyDiffView text={text()} />
              </CardBoundary>
            )}
          </Match>
        </Switch>
      </Show>
    </details>
  );
}
