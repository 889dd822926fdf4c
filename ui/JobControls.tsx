import { createSignal, Show } from 'solid-js';
import type { Job } from '../src/schema/job.ts';
import type { DashboardActions } from './logic/dashboard.ts';

/** What a person can tell a job now. */
export function JobControls(props: { job: Job; shown: string | null; command: DashboardActions['command'] }) {
  const [text, setText] = createSignal('');
  const [busy, setBusy] = createSignal(false);

  async function run(says: string, send: Parameters<DashboardActions['command']>[1]): Promise<boolean> {
    setBusy(true);
    const done = await props.command(says, send);
    setBusy(false);
    return done;
  }

  const approve = () => {
    // The hash of what is on the screen goes along: a plan that was changed meanwhile is not approved.
    const shown = props.job.approval?.shown ?? null;
    return run('Approved.', (client) =>
      client.resume(props.job.id, { eventKey: 'approve', ...(shown === null ? {} : { shown }) }),
    );
  };
  const resume = () => run('Resumed.', (client) => client.resume(props.job.id, { eventKey: 'manual-resume' }));
  const pause = () => run('Paused.', (client) => client.pause(props.job.id));
  const cancel = () => {
    if (window.confirm('Cancel this job? It cannot be resumed.')) void run('Cancelled.', (client) => client.cancel(props.job.id));
  };
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const message = text().trim();
    if (message !== '' && (await run('The message is with the job.', (client) => client.message(props.job.id, { message }))))
      setText('');
  };

  const failed = () => props.job.status === 'failed';
  const resumable = () => failed() || (props.job.parked !== null && props.job.parked.kind !== 'approval');

  return (
    <Show when={!props.job.ended || failed()}>
      <section aria-labelledby="controls">
        <h2 id="controls">{props.job.approval ? 'Approve?' : 'Controls'}</h2>
        <Show when={props.shown}>{(plan) => <pre class="plan">{plan()}</pre>}</Show>
        <p class="buttons">
          <Show when={props.job.approval}>
            <button type="button" class="primary" disabled={busy()} onClick={approve}>
              Approve
            </button>
          </Show>
          <Show when={resumable()}>
            <button type="button" class="primary" disabled={busy()} onClick={resume}>
              Resume
            </button>
          </Show>
          <Show when={!props.job.ended}>
            <Show when={props.job.parked === null || props.job.parked.kind === 'event'}>
              <button type="button" disabled={busy()} onClick={pause}>
                Pause
              </button>
            </Show>
            <button type="button" class="danger" disabled={busy()} onClick={cancel}>
              Cancel
            </button>
          </Show>
        </p>
        <form onSubmit={send}>
          <label for="message">Message to the agent</label>
          <textarea
            id="message"
            rows="3"
            maxlength="32000"
            value={text()}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button type="submit" disabled={busy() || text().trim() === ''}>
            Send
          </button>
        </form>
      </section>
    </Show>
  );
}
