import { createSignal, For, onCleanup, onMount, Show } from 'solid-js';
import type { AdoptedHome } from '../../../src/contract/schema/runner/cloudStatus.ts';
import { useDashboard } from '../../shell/dashboard.ts';

/** Between two looks, ms. */
const LOOK_MS = 10_000;

/** Jobs of lost runners that this one continues, in processes of their own: what they are, and where. */
export function AdoptedHomes() {
  const { client, team } = useDashboard();
  const [homes, setHomes] = createSignal<readonly AdoptedHome[]>([]);
  const look = () =>
    client.health().then(
      ({ cloud }) => setHomes(cloud?.adopted ?? []),
      // The shell says that the runner is away.
      () => undefined,
    );
  // The list of a team has these jobs like any others.
  if (team === null)
    onMount(() => {
      void look();
      const timer = setInterval(() => document.hidden || look(), LOOK_MS);
      onCleanup(() => clearInterval(timer));
    });
  return (
    <For each={homes()}>
      {({ runner, jobs, url }) => (
        <p class="notice-line" role="status">
          This runner continues the jobs of <bdi>{runner.name}</bdi>, which is lost:{' '}
          <Show when={url} fallback="they are being fetched.">
            {(address) => (
              <For each={jobs} fallback="they have ended.">
                {(job, index) => (
                  <>
                    {index() === 0 ? '' : ', '}
                    <a href={`${address()}/#/jobs/${encodeURIComponent(job.id)}`}>{job.title}</a>
                  </>
                )}
              </For>
            )}
          </Show>
        </p>
      )}
    </For>
  );
}
