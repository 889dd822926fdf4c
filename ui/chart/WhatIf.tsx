import { createEffect, createMemo, createSignal, For, Index, on, Show } from 'solid-js';
import type { WhatIfReply } from '../../src/contract/schema/api/replies.ts';
import { createDraft } from '../shell/drafts/drafts.ts';
import { OlderResult } from '../shell/problems/OlderResult.tsx';
import { Problem } from '../shell/problems/Problem.tsx';
import { type DraftFacts, type EventDraft, parseTypedEvent } from './eventDraft.ts';
import { listEventFields, withEventField } from './eventFields.ts';
import { listLeafPaths } from '../../src/base/json/listLeafPaths.ts';
import { toPlainState } from './picture/plainWords.ts';
import './whatIf.css';

const formatNextStates = (paths: readonly string[]): string =>
  paths
    .map((path) => {
      const plain = toPlainState(path, path);
      return plain === path ? path : `${plain} (${path})`;
    })
    .join(' and ');

/** Asks what an event would lead to; nothing is done. */
export function WhatIf(props: {
  draft: EventDraft;
  facts: DraftFacts;
  ask: (event: EventDraft) => Promise<WhatIfReply>;
  /** Receives the answer, and null when it is out of date. */
  onAnswer?: (reply: WhatIfReply | null) => void;
  /** Changes whenever the answer may change. Default: the answer depends on the event alone. */
  stamp?: string;
}) {
  const type = createMemo(() => props.draft.type);
  const job = createMemo(() => props.facts.job ?? '');
  const draft = createMemo(() => createDraft({ job: job(), field: `what if ${type()}` }));
  const proposedText = createMemo(() => JSON.stringify(props.draft, null, 2));
  const text = () => draft().text() || proposedText();
  const setText = (newText: string) => draft().write(newText === proposedText() ? '' : newText);
  /** The last answer, and what it answers. */
  const [lastAnswer, setLastAnswer] = createSignal<{ reply: WhatIfReply; of: string } | null>(null);
  const buildQuestionKey = () => JSON.stringify([text(), props.stamp]);
  const reply = () => lastAnswer()?.reply ?? null;
  const isOld = () => lastAnswer() !== null && lastAnswer()?.of !== buildQuestionKey();
  const [problem, setProblem] = createSignal<unknown>(null);
  const [busy, setBusy] = createSignal(false);
  const parseDraft = () => parseTypedEvent(text());
  const wrong = () => {
    const result = parseDraft();
    return 'wrong' in result ? result.wrong : null;
  };
  const forget = () => {
    setLastAnswer(null);
    setProblem(null);
    props.onAnswer?.(null);
  };

  createEffect(on(proposedText, forget));
  // The answer is out of date: stop drawing its states.
  createEffect(on(isOld, (old) => old && props.onAnswer?.(null), { defer: true }));

  const fields = () => {
    const result = parseDraft();
    return 'event' in result ? listEventFields(result.event, props.facts) : [];
  };
  const fill = (path: string, value: string) => {
    const result = parseDraft();
    if ('wrong' in result) return;
    setText(JSON.stringify(withEventField(result.event, path, value, props.facts), null, 2));
  };

  async function ask(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const result = parseDraft();
    if ('wrong' in result) return;
    setBusy(true);
    forget();
    try {
      const of = buildQuestionKey();
      const answer = await props.ask(result.event);
      setLastAnswer({ reply: answer, of });
      if (of === buildQuestionKey()) props.onAnswer?.(answer);
    } catch (error) {
      setProblem(() => error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form class="what-if" onSubmit={ask}>
      <h3>What would happen?</h3>
      <Index each={fields()}>
        {(field) => (
          <label class="field">
            {field().label}
            <Show
              when={field().choices.length > 0}
              fallback={
                <input
                  type="text"
                  dir="auto"
                  value={field().text}
                  onInput={({ currentTarget }) => fill(field().path, currentTarget.value)}
                />
              }
            >
              <select
                value={field().text}
                onChange={({ currentTarget }) => fill(field().path, currentTarget.value)}
              >
                <For each={field().choices}>
                  {({ value, says }) => (
                    <option value={value} selected={value === field().text}>
                      {says}
                    </option>
                  )}
                </For>
              </select>
            </Show>
          </label>
        )}
      </Index>
      <details>
        <summary>The event as JSON</summary>
        <label class="field">
          Event to try
          <textarea
            class="mono"
            rows={Math.min(12, text().split('\n').length)}
            spellcheck={false}
            value={text()}
            aria-invalid={wrong() !== null}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
      </details>
      <Show when={wrong()}>{(why) => <p class="wrong">{why()}</p>}</Show>
      <button type="submit" disabled={busy() || wrong() !== null}>
        What if?
      </button>
      <OlderResult isOld={isOld()} of="an earlier event or state. Ask again">
        <div role="status">
          <Show when={reply()}>
            {(answer) => (
              <div class={`answer ${answer().accepted ? 'taken' : 'refused'}`}>
                <p>
                  <strong>{answer().accepted ? 'Accepted.' : 'Refused.'}</strong>{' '}
                  {answer().accepted
                    ? `Next state: ${formatNextStates(listLeafPaths(answer().value))}.`
                    : ''}
                </p>
                <Show when={answer().effects.length > 0}>
                  <details>
                    <summary>{answer().effects.length} effects, in this order</summary>
                    <ol>
                      <For each={answer().effects}>
                        {({ type, params }) => (
                          <li>
                            <details>
                              <summary>
                                <code>{type}</code>
                              </summary>
                              <pre>{JSON.stringify(params, null, 2)}</pre>
                            </details>
                          </li>
                        )}
                      </For>
                    </ol>
                  </details>
                </Show>
                <Show when={Object.keys(answer().changes).length > 0}>
                  <details>
                    <summary>Resulting context</summary>
                    <pre>{JSON.stringify(answer().changes, null, 2)}</pre>
                  </details>
                </Show>
              </div>
            )}
          </Show>
        </div>
      </OlderResult>
      <Show when={problem()}>{(error) => <Problem error={error()} />}</Show>
    </form>
  );
}
