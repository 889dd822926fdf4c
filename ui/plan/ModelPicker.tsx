import { createUniqueId, For, Show } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import type { ModelChoice } from '../../src/contract/schema/planning/intake.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { listOfferedModels, type OfferedModel, serializeModelChoice } from './listOfferedModels.ts';

/** Which model answers in this conversation. */
export function ModelPicker(props: { model: ModelChoice; choose: (model: ModelChoice) => void }) {
  const { client } = useDashboard();
  const id = createUniqueId();
  const [read] = createReading(() => listOfferedModels(client), { initialValue: [] });
  const chosen = () => serializeModelChoice(props.model);
  const all = () => read.latest.flatMap(({ models }) => models);
  const isKnown = () => chosen() === '' || all().some(({ value }) => value === chosen());
  const choose = (value: string) => {
    const found = all().find((one) => one.value === value);
    props.choose(found?.choice ?? { provider: null, model: null });
  };
  return (
    <span class="model-picker">
      <label class="visually-hidden" for={id}>
        Model
      </label>
      <select id={id} value={chosen()} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">Planning model</option>
        <Show when={!isKnown()}>
          <option value={chosen()}>{props.model.model ?? props.model.provider}</option>
        </Show>
        <For each={read.latest}>
          {(provider) => (
            <optgroup label={provider.title}>
              <For each={provider.models}>{(model) => <Choice model={model} />}</For>
            </optgroup>
          )}
        </For>
      </select>
    </span>
  );
}

const Choice = (props: { model: OfferedModel }) => (
  <option value={props.model.value}>{props.model.title}</option>
);
