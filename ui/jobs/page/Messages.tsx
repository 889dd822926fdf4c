import { createEffect, createResource, For, on, Show, Suspense } from 'solid-js';
import type { MessageReceipt } from '../../../src/schema/message.ts';
import { ReplyForm } from '../../shell/ReplyForm.tsx';
import { useDashboard } from '../../shell/dashboard.ts';
import { nowForAges } from '../../shell/now.ts';
import { Problem } from '../../shell/Problem.tsx';
import { useStore } from '../../shell/useStore.ts';
import { age, dateTime } from '../jobText.ts';
import { useJob } from './jobView.ts';

/** What a state of a message means to the person who wrote it. */
const SAYS: Readonly<Record<MessageReceipt['state'], string>> = {
  queued: 'waiting for a session',
  offered: 'sent to the session',
  delivered: 'delivered to the agent',
  acknowledged: 'read by the agent',
  superseded: 'replaced by a later one',
  expired: 'expired: the job ended first',
};

const TONES: Readonly<Partial<Record<MessageReceipt['state'], string>>> = {
  offered: 'working',
  delivered: 'working',
  acknowledged: 'good',
};

/** Messages to the agent with what has become of each, and a field for the next one. */
export function Messages() {
  const { client } = useDashboard();
  const { store, job, can, command } = useJob();
  const steps = useStore(store, (context) => context.journal.length);
  const [messages, { refetch }] = createResource(
    async () => (await client.messages(job().id)).messages,
  );
  // Each change of a receipt is a step of the job.
  createEffect(on(steps, () => void refetch(), { defer: true }));
  const send = (text: string) =>
    command('Message sent.', (to) => to.message(job().id, { message: text }));
  return (
    <Suspense>
      <Show when={can('job.message') || (messages.latest?.length ?? 0) > 0}>
        <section class="card stack messages">
          <h2>Messages</h2>
          <Show when={messages.error}>
            {(error) => <Problem error={error()} retry={() => void refetch()} />}
          </Show>
          <ul class="plain" hidden={(messages.latest?.length ?? 0) === 0}>
            <For each={messages.latest ?? []}>
              {(message) => (
                <li>
                  <p class="row">
                    <strong>{message.author}</strong>
                    <small title={dateTime(message.at)}>{age(message.at, nowForAges())}</small>
                    <span
                      class={`pill ${TONES[message.state] ?? ''}`}
                      title={dateTime(message.since)}
                    >
                      {SAYS[message.state]}
                    </span>
                    <Show when={message.offers.length > 1}>
                      <small>
                        given {message.offers.length} times: a session ended before it was read
                      </small>
                    </Show>
                  </p>
                  <p class="said">{message.text}</p>
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
    </Suspense>
  );
}
