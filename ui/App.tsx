import { createSignal, onCleanup, onMount, Show } from 'solid-js';
import { JobPage } from './JobPage.tsx';
import { JobsPage } from './JobsPage.tsx';
import type { DashboardActions } from './logic/dashboard.ts';
import type { DashboardStore } from './logic/dashboardStore.ts';
import { jobInHash } from './logic/jobText.ts';

/** The page: one list, one job; the address says which. */
export function App(props: { store: DashboardStore; dashboard: DashboardActions }) {
  const [state, setState] = createSignal(props.store.getSnapshot().context);
  const go = () => props.dashboard.open(jobInHash(location.hash));

  onMount(() => {
    const subscription = props.store.subscribe((snapshot) => setState(snapshot.context));
    window.addEventListener('hashchange', go);
    onCleanup(() => {
      subscription.unsubscribe();
      window.removeEventListener('hashchange', go);
    });
    go();
  });

  return (
    <>
      <header>
        <a class="brand" href="#/">
          svc
        </a>
        <nav aria-label="Main">
          <a href="#/" aria-current={state().jobId === null ? 'page' : undefined}>
            Jobs
          </a>
        </nav>
      </header>
      <div aria-live="polite" class="messages">
        <Show when={state().problem}>{(problem) => <p class="problem">{problem()}</p>}</Show>
        <Show when={state().notice}>{(notice) => <p class="notice">{notice()}</p>}</Show>
      </div>
      <main>
        <Show
          when={state().jobId}
          fallback={<JobsPage jobs={state().jobs} total={state().total} loaded={state().loaded} now={Date.now()} />}
        >
          <Show when={state().job} fallback={<p class="quiet">Loading the job …</p>}>
            {(job) => (
              <JobPage job={job()} why={state().why} shown={state().shown} log={state().log} command={props.dashboard.command} />
            )}
          </Show>
        </Show>
      </main>
    </>
  );
}
