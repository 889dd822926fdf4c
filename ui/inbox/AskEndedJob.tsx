import { For, Show } from 'solid-js';
import { Failure } from '../jobs/Failure.tsx';
import { toPlainReason } from '../jobs/plainText.ts';
import { CommandRow } from '../shell/controls/CommandRow.tsx';
import { IfOffered } from '../shell/controls/IfOffered.tsx';
import { focusIn } from '../shell/controls/focusIn.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { usePageKeys } from '../shell/keys/pageKeys.ts';
import { toRouteHash, toJobHash } from '../shell/navigation/router.ts';
import { useStore } from '../shell/useStore.ts';
import type { AskProps } from './askProps.ts';

const NO_REASON = 'No reason given. See the log.';

/** A job that failed, was given up, or left a pull request open: why, and what can be done. */
export function AskEndedJob(props: AskProps) {
  const last = () => props.job.phases.at(-1)?.phase;
  const resume = () =>
    props.command('Resumed.', (client) =>
      client.resume(props.job.id, { eventKey: 'manual-resume' }),
    );
  const { offers, shell } = useDashboard();
  const isLost = useStore(shell, (context) => context.lostSince !== null);
  const isDismissed = () => props.job.needs === null;
  const openPrs = () => props.job.prMappings.filter(({ state }) => state === 'open');
  const dismiss = () => {
    const { id } = props.job;
    return props.command('Dismissed.', (client) => client.dismiss(id), {
      says: 'It needs you again.',
      send: (client) => client.undismiss(id),
    });
  };
  let again: HTMLDivElement | undefined;
  usePageKeys(() => [
    { keys: ['r'], says: 'Go to the rerun action', does: { do: () => focusIn(again) } },
    ...(isDismissed() || isLost() || !offers('dismiss')
      ? []
      : [{ keys: ['x'], says: 'Dismiss', does: { do: () => void dismiss() } }]),
  ]);
  return (
    <>
      <h2 class="question">
        {props.job.status === 'failed'
          ? 'The job failed'
          : props.job.status === 'escalated'
            ? 'The agent escalated the job'
            : openPrs().length > 0
              ? 'The job has ended and one of its pull requests is still open'
              : 'The job has ended'}
      </h2>
      <For each={openPrs()}>
        {(pr) => (
          <p>
            <a href={toJobHash(props.job.id, 'changes', pr.prId)}>
              <bdi>{pr.title}</bdi>
            </a>{' '}
            <span class="muted">
              {pr.repo}#{pr.number}
            </span>
          </p>
        )}
      </For>
      <Show when={props.job.status === 'escalated'}>
        {/* An agent's words are shown in full. */}
        <p class="said" dir="auto">
          {toPlainReason(props.job.escalationMessage ?? NO_REASON)}
        </p>
      </Show>
      <Failure
        jobId={props.job.id}
        reason={
          props.job.status === 'escalated'
            ? null
            : (props.job.escalationMessage ?? props.job.ending?.text ?? NO_REASON)
        }
        output={props.job.lastOutput}
      />
      <div class="decision-bar" ref={again}>
        <CommandRow>
          <Show when={props.can('job.resume')}>
            <button type="button" class="primary" onClick={() => void resume()}>
              <Icon name="play" /> Resume
            </button>
          </Show>
          <Show when={props.can('job.rerun') && last()}>
            {(phase) => (
              <button
                type="button"
                onClick={() =>
                  void props.command(`Phase ${phase()} runs again.`, (client) =>
                    client.rerun(props.job.id, phase()),
                  )
                }
              >
                <Icon name="redo" /> Rerun {phase()}
              </button>
            )}
          </Show>
          <Show when={!isDismissed()}>
            <button type="button" onClick={() => void dismiss()}>
              <Icon name="check" /> Dismiss
            </button>
          </Show>
        </CommandRow>
        <div class="row">
          <IfOffered to="createJob">
            <a class="button" href={toRouteHash(['new'], { from: props.job.id })}>
              <Icon name="plus" /> Run again with changes
            </a>
          </IfOffered>
          <a class="button" href={toJobHash(props.job.id, 'log')}>
            Read the log
          </a>
        </div>
      </div>
    </>
  );
}
