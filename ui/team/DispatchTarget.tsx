import { createSignal, createUniqueId, For, onCleanup } from 'solid-js';
import { useStore } from '../shell/useStore.ts';
import { parseLabels } from './dispatchText.ts';
import { describeRunner } from './runnerText.ts';
import { listUsableRunners, type TeamStore } from './teamStore.ts';
import './team.css';

/** Where a new job may run: a runner, or labels that its runner must have. */
export const createDispatchTarget = (store: TeamStore) =>
  function DispatchTarget() {
    const id = createUniqueId();
    const runners = useStore(store, (context) => listUsableRunners(context.runners));
    const [labels, setLabels] = createSignal('');
    store.trigger.targetChosen({ target: { runner: null, labels: [] } });
    onCleanup(() => store.trigger.targetChosen({ target: { runner: null, labels: [] } }));
    return (
      <div class="dispatch-target">
        <div class="field">
          <label for={`${id}-runner`}>Runner</label>
          <select
            id={`${id}-runner`}
            onChange={(event) =>
              store.trigger.targetChosen({ target: { runner: event.currentTarget.value || null } })
            }
          >
            <option value="">Any that accepts it</option>
            <For each={runners()}>
              {(runner) => (
                <option value={runner.id}>
                  {runner.name}
                  {runner.connected ? '' : ` (${describeRunner(runner).says.toLowerCase()})`}
                </option>
              )}
            </For>
          </select>
        </div>
        <div class="field">
          <label for={`${id}-labels`}>Labels that the runner must have</label>
          <input
            id={`${id}-labels`}
            autocomplete="off"
            spellcheck={false}
            placeholder="linux, gpu"
            value={labels()}
            onInput={({ currentTarget }) => {
              setLabels(currentTarget.value);
              store.trigger.targetChosen({ target: { labels: parseLabels(currentTarget.value) } });
            }}
          />
        </div>
      </div>
    );
  };
