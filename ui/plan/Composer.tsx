import { createSignal, createUniqueId, Show, For } from 'solid-js';
import { MAX_CHAT_MESSAGE_CHARS } from '../../src/base/limits/intakeLimits.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { createDraft } from '../shell/drafts/drafts.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { usePageKeys } from '../shell/keys/pageKeys.ts';
import { useStore } from '../shell/useStore.ts';
import type { ModelChoice } from '../../src/contract/schema/planning/intake.ts';
import { usePlan } from './planContext.ts';
import { createReading } from '../shell/signals/createReading.ts';
import { listOfferedModels, serializeModelChoice, type OfferedModel } from './listOfferedModels.ts';

function ModelPicker(props: { model: ModelChoice; choose: (model: ModelChoice) => void }) {
  const { client } = useDashboard();
  const id = createUniqueId();
  const [reading] = createReading(() => listOfferedModels(client), { initialValue: [] });
  const modelChoice = () => serializeModelChoice(props.model);
  const all = () => reading.latest.flatMap(({ models }) => models);
  const isKnown = () => modelChoice() === '' || all().some(({ value }) => value === modelChoice());
  const choose = (value: string) => {
    const offeredModel = all().find((one) => one.value === value);
    props.choose(offeredModel?.choice ?? { provider: null, model: null });
  };
  return (
    <span class="model-picker">
      <label class="visually-hidden" for={id}>
        Model
      </label>
      <select id={id} value={modelChoice()} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">Planning model</option>
        <Show when={!isKnown()}>
          <option value={modelChoice()}>{props.model.model ?? props.model.provider}</option>
        </Show>
        <For each={reading.latest}>
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

interface ComposerProps {
  /** What the draft belongs to; must not change while it is mounted. */
  draftKey: string;
  isFirst: boolean;
  model: ModelChoice;
  choose: (model: ModelChoice) => void;
}

export function Composer(props: ComposerProps) {
  const { shell, run } = useDashboard();
  const { conversation, say } = usePlan();
  const draft = createDraft({ job: props.draftKey, field: 'message' });
  const isLost = useStore(shell, (context) => context.lostSince !== null);
  const [busy, setBusy] = createSignal(false);
  const id = createUniqueId();
  let field: HTMLTextAreaElement | undefined;
  usePageKeys(() => [
    { keys: ['m'], says: 'Write a message', does: { do: () => field?.focus() } },
    ...(conversation.isRunning()
      ? [{ keys: ['.'], says: 'Stop the answer', does: { do: () => void stop() } }]
      : []),
  ]);
  const stop = () => run('Stopped. The answer so far is kept.', () => conversation.stop());
  const send = async () => {
    const text = draft.text();
    if (text.trim() === '' || busy() || isLost()) return;
    setBusy(true);
    // A text that was typed while the message was being sent is kept.
    if ((await say(text.trim())) && draft.text() === text) draft.forget();
    setBusy(false);
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label class="visually-hidden" for={id}>
        Message
      </label>
      <textarea
        id={id}
        ref={field}
        dir="auto"
        rows={props.isFirst ? 5 : 3}
        maxlength={MAX_CHAT_MESSAGE_CHARS}
        placeholder={
          props.isFirst
            ? 'What should be done or investigated? A ticket key helps, such as SHOP-1.'
            : 'Reply, or ask something else'
        }
        value={draft.text()}
        onInput={(event) => draft.write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      <div class="row composer-foot">
        <ModelPicker model={props.model} choose={props.choose} />
        <span class="grow" />
        <Show when={conversation.isRunning()}>
          <button type="button" onClick={() => void stop()} title="Stop the answer (.)">
            <Icon name="stop" /> Stop
          </button>
        </Show>
        <button
          type="submit"
          classList={{ primary: props.isFirst }}
          title="Ctrl+Enter"
          disabled={busy() || isLost() || draft.text().trim() === ''}
        >
          <Icon name="send" /> {conversation.isRunning() ? 'Send afterwards' : 'Send'}
        </button>
      </div>
    </form>
  );
}
