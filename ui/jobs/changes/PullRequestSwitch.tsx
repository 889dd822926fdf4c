import { createSignal, Show } from 'solid-js';
import { AskDialog } from '../../shell/controls/AskDialog.tsx';
import { useJob } from '../page/jobView.ts';
import type { OpenPullRequest } from './pullRequest.ts';

export function PullRequestSwitch(props: { open: OpenPullRequest }) {
  const { job, command } = useJob();
  const { pr } = props.open;
  const [asked, setAsked] = createSignal(false);
  const [reason, setReason] = createSignal('');
  const state = () => props.open.detail()?.state ?? pr.state;
  const isOpen = () => state() === 'open';
  const send = async () => {
    const body = reason().trim() === '' ? {} : { reason: reason().trim() };
    const taken = await command(isOpen() ? 'Closed.' : 'Opened again.', (to) =>
      isOpen()
        ? to.closePullRequest(pr.repo, pr.number, body)
        : to.reopenPullRequest(pr.repo, pr.number, body),
    );
    await props.open.readDetail();
    if (taken) setReason('');
    return taken;
  };
  return (
    <Show when={pr.forge === 'local' && state() !== 'merged'}>
      <div class="row">
        <button type="button" onClick={() => setAsked(true)}>
          {isOpen() ? 'Close without a merge …' : 'Open again …'}
        </button>
      </div>
      <Show when={asked()}>
        <AskDialog
          title={
            isOpen() ? `Close ${pr.repo}#${pr.number}?` : `Open ${pr.repo}#${pr.number} again?`
          }
          says={isOpen() ? 'Close' : 'Open again'}
          close={() => setAsked(false)}
          send={send}
        >
          <p>
            {job().ended
              ? 'The job has ended and does not continue.'
              : isOpen()
                ? 'The job continues in the phase that waits for it, and its agent is asked not to open the same change again.'
                : 'If a phase is waiting, the job continues there.'}
          </p>
          <label class="stack">
            Why (optional)
            <textarea
              rows={3}
              value={reason()}
              onInput={(event) => setReason(event.currentTarget.value)}
            />
          </label>
        </AskDialog>
      </Show>
    </Show>
  );
}
