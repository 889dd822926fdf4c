import { createEffect, createSignal, For, on, Show } from 'solid-js';
import type { WhatIfReply } from '../../src/schema/replies.ts';
import { Problem } from '../shell/Problem.tsx';
import { type EventDraft, parseEvent } from './eventDraft.ts';
import { leafPaths } from '../../src/domain/leafPaths.ts';
import './whatIf.css';

/** Asks what an event would lead to; nothing is done. */
export function WhatIf(props: {
  draft: EventDraft;
  ask: (event: EventDraft) => Promise<WhatIfReply>;
  /** Receives the answer, and null when it is out of date. */
  answered?: (reply: WhatIfReply | null) => void;
}) {
  const [text, setText] = createSignal('');
  const [reply, setReply] = createSignal<WhatIfReply | null>(null);
  const [problem, setProblem] = createSignal<unknown>(null);
  const [busy, setBusy] = createSignal(false);
  const parsed = () => parseEvent(text());
  const wrong = () => {
    const read = parsed();
    return 'wrong' in read ? read.wrong : null;
  };
  const forget = () => {
    setReply(null);
    setProblem(null);
    props.answered?.(null);
  };

  createEffect(
    on(
      () => JSON.stringify(props.draft, null, 2),
      (draft) => {
        setText(draft);
        forget();
      },
    ),
  );

  async function ask(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const read = parsed();
    if ('wrong' in read) return;
    setBusy(true);
    forget();
    try {
      const answer = await props.ask(read.event);
      setReply(answer);
      props.answered?.(answer);
    } catch (error) {
      setProblem(() => error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form class="what-if" onSubmit={ask}>
      <label class="field">
        Event to try
        <textarea
          class="mono"
          rows={Math.min(12, text().split('\n').length)}
          spellcheck={false}
          value={text()}
          aria-invalid={wrong() !== null}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            forget();
          }}
        />
      </label>
      <Show when={wrong()}>{(why) => <p class="wrong">{why()}</p>}</Show>
      <button type="submit" disabled={busy() || wrong() !== null}>
        What if?
      </button>
      <div role="status">
        <Show when={reply()}>
          {(answer) => (
            <div class={`answer ${answer().accepted ? 'taken' : 'refused'}`}>
              <p>
                <strong>{answer().accepted ? 'Accepted.' : 'Refused.'}</strong>{' '}
                {answer().accepted ? `Next state: ${leafPaths(answer().value).join(' and ')}.` : ''}
              </p>
              <Show when={answer().effects.length > 0}>
                <p class="muted">Effects, in this order:</p>
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
              </Show>
              <Show when={Object.keys(answer().changes).length > 0}>
                <details>
                  <summary>
                    Changes of the context ({Object.keys(answer().changes).join(', ')})
                  </summary>
                  <pre>{JSON.stringify(answer().changes, null, 2)}</pre>
                </details>
              </Show>
            </div>
          )}
        </Show>
      </div>
      <Show when={problem()}>{(error) => <Problem error={error()} />}</Show>
    </form>
  );
}
