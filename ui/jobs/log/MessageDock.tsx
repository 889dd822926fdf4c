import { Show } from 'solid-js';
import { nowForAges } from '../../shell/signals/nowForAges.ts';
import { ReplyForm } from '../../shell/controls/ReplyForm.tsx';
import { formatAge } from '../jobText.ts';
import { useJob } from '../page/jobView.ts';
import { RECEIPTS, RECEIPT_TONES, useMessages } from '../page/useMessages.ts';
import './messageDock.css';

/** A message to the agent, under its log, with the outcome of the last one. */
export function MessageDock() {
  const { job, can, command } = useJob();
  const { messages } = useMessages();
  const last = () => messages().at(-1);
  return (
    <Show when={can('job.message')}>
      <section class="message-dock" aria-label="Messages">
        <Show when={last()}>
          {(message) => (
            <p class="receipt" role="status">
              <span class={`pill ${RECEIPT_TONES[message().state] ?? ''}`}>
                {RECEIPTS[message().state]}
              </span>
              <bdi class="said">{message().text}</bdi>
              <small>{formatAge(message().at, nowForAges())}</small>
            </p>
          )}
        </Show>
        <ReplyForm
          label="Message to the agent"
          says="Send"
          rows={1}
          draft={{ job: job().id, field: 'message' }}
          send={(text) => command('Message sent.', (to) => to.message(job().id, { message: text }))}
        />
      </section>
    </Show>
  );
}
