import { plainReason } from '../jobs/plainText.ts';
import { CommandRow } from '../shell/CommandRow.tsx';
import { Icon } from '../shell/Icon.tsx';
import { usePageKeys } from '../shell/pageKeys.ts';
import { ReplyForm } from '../shell/ReplyForm.tsx';
import type { AskProps } from './askProps.ts';
import { OpenChanges } from './OpenChanges.tsx';

/** A phase that the decision layer has flagged: it continues as it is, or runs again with a word. */
export function AskFlagged(props: AskProps) {
  let reply: HTMLDivElement | undefined;
  usePageKeys(() => [
    {
      keys: ['r'],
      says: 'Reply',
      does: { do: () => reply?.querySelector('textarea')?.focus() },
    },
  ]);
  return (
    <>
      <h2 class="question">The phase {props.job.phase} was flagged</h2>
      <p class="said" dir="auto">
        {plainReason(props.job.parked?.reason ?? '')}
      </p>
      <div class="decision-bar" ref={reply}>
        <ReplyForm
          label="What should be different?"
          says="Send and run the phase again"
          rows={2}
          draft={{ job: props.job.id, field: 'answer' }}
          send={(text) =>
            props.command('Message sent; the phase runs again.', (client) =>
              client.message(props.job.id, { message: text }),
            )
          }
        />
        <CommandRow>
          <button
            type="button"
            onClick={() =>
              void props.command('Continues as it is.', (client) =>
                client.resume(props.job.id, { eventKey: 'manual-resume' }),
              )
            }
          >
            <Icon name="play" /> Continue as it is
          </button>
        </CommandRow>
      </div>
      <OpenChanges job={props.job} />
    </>
  );
}
