import { For, Show } from 'solid-js';
import { ReplyForm } from '../../shell/controls/ReplyForm.tsx';
import { nowForAges } from '../../shell/signals/nowForAges.ts';
import { Problem } from '../../shell/problems/Problem.tsx';
import { formatAge, formatDateTime } from '../jobText.ts';
import { useJob } from './jobView.ts';
import { RECEIPT_TONES, RECEIPTS, useMessages } from './useMessages.ts';

/** Messages to the agent with what has become of each, and a field for the next one. */
export function Messages() {
  const { job, can, command } = useJob();
  const { messages, problem, refetch } = useMessages();
  const send = (text: string) =>
    command('Message sent.', (to) => to.message(job().id, { message: text }));
  return (
    <Show when={can('job.message') || messages().length > 0}>
      <section class="section stack messages">
        <h2>Messages</h2>
        <Show when={problem()}>
          {(error) => <Problem error={error()} retry={() => void refetch()} />}
        </Show>
        <ul class="plain" hidden={messages().length === 0}>
          <For each={messages()}>
            {(message) => (
              <li>
                <p class="row">
                  <strong>
                    <bdi>{message.author}</bdi>
                  </strong>
                  <small title={formatDateTime(message.at)}>
                    {formatAge(message.at, nowForAges())}
                  </small>
                  <span
                    class={`pill ${RECEIPT_TONES[message.state] ?? ''}`}
                    title={formatDateTime(message.since)}
                  >
                    {RECEIPTS[message.state]}
                  </span>
                  <Show when={message.offers.length > 1}>
                    <small>
                      given {message.offers.length} times: a session ended before it was read
                    </small>
                  </Show>
                </p>
                <p class="said" dir="auto">
                  {message.text}
                </p>
              </li>
            )}
          </For>
        </ul>
        <Show when={can('job.message')}>
          <ReplyForm
            label="Message to the agent"
            says="Send"
            draft={{ job: job().id, field: 'message' }}
            placeholder="A waiting job continues with it; a running one reads it as soon as it can."
            send={send}
          />
        </Show>
      </section>
    </Show>
  );
}
