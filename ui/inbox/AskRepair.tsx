import { Show } from 'solid-js';
import { FoldedReason } from '../jobs/FoldedReason.tsx';
import { CommandRow } from '../shell/controls/CommandRow.tsx';
import { focusIn } from '../shell/controls/focusIn.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { usePageKeys } from '../shell/keys/pageKeys.ts';
import { toJobHash } from '../shell/navigation/router.ts';
import type { AskProps } from './askProps.ts';

/** Something that a person has to repair first; the job then continues by itself, or at once. */
export function AskRepair(props: AskProps) {
  let again: HTMLDivElement | undefined;
  usePageKeys(() => [
    { keys: ['r'], says: 'Go to the retry action', does: { do: () => focusIn(again) } },
  ]);
  return (
    <>
      <h2 class="question">Something needs a fix first</h2>
      <FoldedReason
        reason={props.job.parked?.reason ?? ''}
        output={{ jobId: props.job.id, last: props.job.lastOutput }}
      />
      <div class="decision-bar" ref={again}>
        <CommandRow>
          <Show when={props.can('job.resume')}>
            <button
              type="button"
              class="primary"
              onClick={() =>
                void props.command('Trying again.', (client) =>
                  client.resume(props.job.id, { eventKey: 'manual-resume' }),
                )
              }
            >
              <Icon name="play" /> Try again
            </button>
          </Show>
        </CommandRow>
        <Show when={props.job.parked?.kind === 'subRuns'}>
          <a class="button" href={toJobHash(props.job.id, 'campaign')}>
            <Icon name="graph" /> Open the campaign
          </a>
        </Show>
      </div>
    </>
  );
}
