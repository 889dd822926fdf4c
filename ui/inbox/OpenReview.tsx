import { createMemo, createSignal, For, Show, Suspense } from 'solid-js';
import { ChangesTab } from '../jobs/page/jobTabs.ts';
import { createJobStore } from '../jobs/page/jobStore.ts';
import { JobProvider, type JobView } from '../jobs/page/jobView.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { toJobHash } from '../shell/navigation/router.ts';
import { useStore } from '../shell/useStore.ts';
import type { AskProps } from './askProps.ts';

/** One of the open pull requests that a job waits for, with its review. */
export function OpenReview(props: AskProps) {
  const { shell } = useDashboard();
  const reachable = useStore(shell, (context) => context.lostSince === null);
  const [chosen, setChosen] = createSignal<string | null>(null);
  const open = createMemo(() => props.job.prMappings.filter(({ state }) => state === 'open'));
  const shown = createMemo(
    () => open().find(({ prId }) => prId === chosen())?.prId ?? open().at(-1)?.prId ?? null,
  );
  const view: JobView = {
    store: createJobStore(),
    job: () => props.job,
    reachable,
    can: (event) => props.can(event),
    command: (...asked) => props.command(...asked),
  };
  return (
    <div class="ask stack open-review">
      <div class="row">
        <h2 class="question grow">Waits for a review or the merge</h2>
        <Show when={shown()}>
          {(prId) => (
            <a href={toJobHash(props.job.id, 'changes', prId())}>On the page of the job</a>
          )}
        </Show>
      </div>
      <Show when={open().length > 1}>
        <fieldset class="choice" aria-label="Open pull requests">
          <For each={open()}>
            {({ prId, repo, number }) => (
              <button type="button" aria-pressed={prId === shown()} onClick={() => setChosen(prId)}>
                <bdi>
                  {repo}#{number}
                </bdi>
              </button>
            )}
          </For>
        </fieldset>
      </Show>
      <JobProvider value={view}>
        <Suspense fallback={<p class="muted">Loading the changes …</p>}>
          <ChangesTab prId={shown()} alone />
        </Suspense>
      </JobProvider>
    </div>
  );
}
