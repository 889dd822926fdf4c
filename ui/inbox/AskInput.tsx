import { For, Show } from 'solid-js';
import { removeQuotedOutput } from '../../src/base/output/chooseLastLines.ts';
import { Failure } from '../jobs/Failure.tsx';
import { toPlainReason } from '../jobs/plainText.ts';
import { CommandRow } from '../shell/controls/CommandRow.tsx';
import { Icon } from '../shell/controls/Icon.tsx';
import { usePageKeys } from '../shell/keys/pageKeys.ts';
import { ReplyForm } from '../shell/controls/ReplyForm.tsx';
import type { AskProps } from './askProps.ts';
import { OpenChanges } from './OpenChanges.tsx';

/** A question of an agent, or something that happens outside of svc: an answer in words. */
export function AskInput(props: AskProps & { outside: boolean }) {
  let reply: HTMLDivElement | undefined;
  const reason = () => props.job.parked?.reason;
  const isAnswer = () => !props.outside && props.job.parked?.kind !== 'event';
  const question = () => (isAnswer() ? props.job.escalationMessage : null) ?? reason();
  const open = () => props.job.workItems.filter(({ status }) => status !== 'complete');
  usePageKeys(() => [
    {
      keys: ['r'],
      says: 'Reply',
      does: { do: () => reply?.querySelector('textarea')?.focus() },
    },
  ]);
  return (
    <>
      <h2 class="question">
        {props.outside
          ? 'The job waits for something outside svc'
          : props.job.parked?.circle
            ? 'The job repeats phases without progress'
            : props.job.parked?.kind === 'event'
              ? 'The job waits for something that cannot happen'
              : 'The job has a question'}
      </h2>
      <p class="said" dir="auto">
        {toPlainReason(
          props.job.lastOutput?.lines.length
            ? removeQuotedOutput(question() ?? '')
            : (question() ?? ''),
        )}
      </p>
      <Show when={props.job.lastOutput}>
        {(output) => <Failure jobId={props.job.id} reason={null} output={output()} />}
      </Show>
      <div class="decision-bar" ref={reply}>
        <ReplyForm
          label={props.outside ? 'What happened?' : 'Answer'}
          says={props.outside ? 'Send to the job' : 'Answer and continue'}
          rows={2}
          draft={{ job: props.job.id, field: 'answer' }}
          send={(text) =>
            props.command('Answer sent.', (client) =>
              client.message(props.job.id, { message: text }),
            )
          }
        />
        <CommandRow>
          <button
            type="button"
            onClick={() =>
              void props.command('Resumed.', (client) =>
                client.resume(props.job.id, { eventKey: 'manual-resume' }),
              )
            }
          >
            <Icon name="play" /> {props.outside ? 'Done: resume' : 'Continue without an answer'}
          </button>
        </CommandRow>
      </div>
      <Show when={reason() !== question()}>
        <p class="muted" dir="auto">
          {toPlainReason(reason() ?? '')}
        </p>
      </Show>
      <Show when={open().length > 0}>
        <details>
          <summary>Open work items: {open().length}</summary>
          <ul class="plain">
            <For each={open()}>
              {({ title }) => (
                <li>
                  <bdi>{title}</bdi>
                </li>
              )}
            </For>
          </ul>
        </details>
      </Show>
      <OpenChanges job={props.job} />
    </>
  );
}
