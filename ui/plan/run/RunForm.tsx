import { createMemo, For, Show } from 'solid-js';
import { createReading } from '../../shell/signals/createReading.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { Problem } from '../../shell/problems/Problem.tsx';
import { readCoachMode } from '../../jobs/newJob/coachMode.ts';
import {
  NO_SUGGESTIONS,
  suggestFromEarlierJobs,
} from '../../jobs/newJob/suggestFromEarlierJobs.ts';
import { OpenRunForm } from './OpenRunForm.tsx';

export function RunForm() {
  const { client } = useDashboard();
  const [reading, { refetch }] = createReading(async () => {
    const [workflows, repos, forges, interactive, suggestions] = await Promise.all([
      client.workflows(),
      client.forgeRepos(),
      client.forges(),
      // An unreadable configuration does not prevent dispatching; being asked is the safe choice.
      client.config().then(
        ({ reply }) => readCoachMode(reply).enabled,
        () => true,
      ),
      suggestFromEarlierJobs(client).catch(() => NO_SUGGESTIONS),
    ]);
    return { workflows, repos, forges, interactive, suggestions };
  });
  const brokenWorkflows = createMemo(() =>
    (reading.error ? [] : (reading.latest?.workflows ?? [])).filter(
      ({ problem }) => problem !== undefined,
    ),
  );
  return (
    <section class="run-form" aria-labelledby="run-title">
      <h2 id="run-title">Run</h2>
      <Show when={reading.error}>
        {(error) => <Problem error={error()} retry={() => void refetch()} />}
      </Show>
      <Show
        when={!reading.error && reading.latest}
        fallback={reading.error ? null : <p class="muted">Loading the form …</p>}
      >
        {(loadedForm) => <OpenRunForm {...loadedForm()} />}
      </Show>
      <For each={brokenWorkflows()}>
        {(one) => (
          <p class="muted">
            <a href={`#/workflows/${one.workflowPath}`}>{one.label}</a> cannot be used.
          </p>
        )}
      </For>
    </section>
  );
}
