import { createSignal, Index, onCleanup, onMount, Show } from 'solid-js';
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
    // By place: a link that has the focus keeps it when the list is read again.
    <Index each={homes()}>
      {(home) => (
        <p class="notice-line" role="status">
          {/* One item of the line, which is a flex box: a sentence that wraps as one. */}
          <span>
            This runner continues the jobs of <bdi>{home().runner.name}</bdi>, which is lost:{' '}
            <Show when={home().url} fallback="they are being fetched.">
              {(address) => (
                <Index each={home().jobs} fallback="they have ended.">
                  {(job, index) => (
                    <>
                      {index === 0 ? '' : ', '}
                      <a href={`${address()}/#/jobs/${encodeURIComponent(job().id)}`}>
                        {job().title}
                      </a>
                    </>
                  )}
                </Index>
              )}
            </Show>
          </span>
        </p>
      )}
    </Index>
  );
}
