import { createMemo, For, Show } from 'solid-js';
import type { Reading } from '../../shell/signals/createReading.ts';
import { Problem } from '../../shell/problems/Problem.tsx';
import { OpenRunForm } from './OpenRunForm.tsx';
import type { RunSources } from './readRunSources.ts';

export function RunForm(props: { reading: Reading<RunSources | undefined>; retry: () => void }) {
  const brokenWorkflows = createMemo(() =>
    (props.reading.error ? [] : (props.reading.latest?.workflows ?? [])).filter(
      ({ problem }) => problem !== undefined,
    ),
  );
  return (
    <section class="run-form" aria-labelledby="run-title">
      <h2 id="run-title">Run</h2>
      <Show when={props.reading.error}>
        {(error) => <Problem error={error()} retry={props.retry} />}
      </Show>
      <Show
        when={!props.reading.error && props.reading.latest}
        fallback={props.reading.error ? null : <p class="muted">Loading the form …</p>}
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
