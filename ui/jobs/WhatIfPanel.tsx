import { createEffect, createSignal, createUniqueId, For, on, Show } from 'solid-js';
import type { WhatIfReply } from '../../src/schema/replies.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Problem } from '../shell/Problem.tsx';
import { useJob } from './jobView.ts';
import { eventOf } from './waysOut.ts';

/** States as dotted paths: XState nests them in objects. */
const pathsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => pathsOf(inner).map((path) => `${name}.${path}`));
};

/** What an event would lead to: computed by the chart, nothing is done. */
export function WhatIfPanel(props: { events: readonly string[] }) {
  const { client } = useDashboard();
  const { job } = useJob();
  const id = createUniqueId();
  const [type, setType] = createSignal(props.events[0] ?? '');
  const [text, setText] = createSignal('');
  const [reply, setReply] = createSignal<WhatIfReply | null>(null);
  const [problem, setProblem] = createSignal<unknown>(null);
  createEffect(
    on(type, (chosen) => {
      setText(JSON.stringify(eventOf(chosen, job().phase), null, 2));
      setReply(null);
      setProblem(null);
    }),
  );

  const ask = async (event: SubmitEvent) => {
    event.preventDefault();
    setReply(null);
    setProblem(null);
    try {
      setReply(await client.whatIf(job().id, JSON.parse(text())));
    } catch (error) {
      setProblem(error);
    }
  };

  return (
    <form class="what-if stack" onSubmit={ask}>
      <h3>What if</h3>
      <div class="row">
        <label for={id}>Event</label>
        <select id={id} class="fit" value={type()} onChange={(event) => setType(event.currentTarget.value)}>
          <For each={props.events}>{(event) => <option value={event}>{event}</option>}</For>
        </select>
        <button type="submit">What would happen?</button>
      </div>
      <label class="field">
        The event as JSON
        <textarea
          class="mono"
          rows="4"
          spellcheck={false}
          value={text()}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <Show when={problem()}>{(error) => <Problem error={error()} />}</Show>
      <Show when={reply()}>
        {(result) => (
          <div class="stack" role="status">
            <p>
              <strong>{result().accepted ? 'It would be taken.' : 'It would be refused.'}</strong> State afterwards:{' '}
              <code>{pathsOf(result().value).join(', ')}</code>
            </p>
            <Show when={result().effects.length > 0}>
              <p>
                Effects:{' '}
                <For each={result().effects}>
                  {(effect, index) => (
                    <>
                      {index() > 0 ? ', ' : ''}
                      <code>{effect.type}</code>
                    </>
                  )}
                </For>
              </p>
            </Show>
            <Show when={Object.keys(result().changes).length > 0}>
              <details>
                <summary>What would change</summary>
                <pre class="json">{JSON.stringify(result().changes, null, 2)}</pre>
              </details>
            </Show>
          </div>
        )}
      </Show>
    </form>
  );
}
