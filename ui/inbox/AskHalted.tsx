import { createSignal, For, Show } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import { canUndoSkip, undoSkip } from '../campaign/undoSkip.ts';
import { describeSubRunEffects } from '../campaign/describeSubRunEffects.ts';
import { Failure } from '../jobs/Failure.tsx';
import { toPlainReason } from '../jobs/plainText.ts';
import { AskDialog } from '../shell/controls/AskDialog.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import type { Undo } from '../shell/shellStore.ts';
import { focusIn } from '../shell/controls/focusIn.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { usePageKeys } from '../shell/keys/pageKeys.ts';
import { CommandRow } from '../shell/controls/CommandRow.tsx';
import { toJobHash } from '../shell/navigation/router.ts';
import type { AskProps } from './askProps.ts';

/** A halted campaign: what failed, each with the two things that let the campaign continue. */
export function AskHalted(props: AskProps) {
  const failedSubRuns = () =>
    props.job.subRuns.filter(({ status }) => status === 'failed' || status === 'escalated');
  const { client, shell } = useDashboard();
  const [campaign] = createReading(
    () => `${props.job.id} ${props.job.updatedAt}`,
    () => client.campaign(props.job.id),
  );
  const findOutput = (name: string) => {
    const lastCampaign = campaign.error ? undefined : campaign.latest;
    const part = lastCampaign?.subRuns.find((one) => one.name === name);
    return { jobId: part?.jobId ?? props.job.id, output: part?.lastOutput };
  };
  /** A skip that cannot be undone, and what it changes; null = none is asked about. */
  const [skipToConfirm, setSkipToConfirm] = createSignal<{
    name: string;
    changes: string[];
  } | null>(null);
  const skip = (name: string, undo?: Undo) =>
    props.command(`${name} skipped.`, (to) => to.skipSubRun(props.job.id, name), undo);
  const askToSkip = async (name: string) => {
    try {
      const effects = await client.subRunWhatIf(props.job.id, name, { action: 'skip' });
      if (effects.refused === null && !canUndoSkip(effects))
        setSkipToConfirm({ name, changes: describeSubRunEffects(effects) });
      else await skip(name, undoSkip(props.job.id, name));
    } catch (error) {
      shell.trigger.failed({ text: `${name} was not skipped`, error });
    }
  };
  let failures: HTMLUListElement | undefined;
  // Links of the output come before the answers.
  const goToRerun = () => focusIn(failures?.querySelector('fieldset') ?? undefined);
  usePageKeys(() => [{ keys: ['r'], says: 'Go to the rerun action', does: { do: goToRerun } }]);
  return (
    <>
      <h2 class="question">The campaign needs a decision</h2>
      <p dir="auto">{toPlainReason(props.job.parked?.reason ?? '')}</p>
      <ul class="plain stack" ref={failures}>
        <For each={failedSubRuns().map(({ name }) => name)}>
          {(name) => (
            <li class="stack">
              <strong>
                <bdi>{name}</bdi>
              </strong>
              <Failure
                {...findOutput(name)}
                reason={failedSubRuns().find((one) => one.name === name)?.reason ?? ''}
                of={name}
              >
                <CommandRow>
                  <button
                    type="button"
                    class={failedSubRuns().length === 1 ? 'primary' : ''}
                    onClick={() =>
                      void props.command(`${name} runs again.`, (client) =>
                        client.rerunSubRun(props.job.id, name),
                      )
                    }
                  >
                    <Icon name="redo" /> Rerun {name}
                  </button>
                  <button type="button" onClick={() => void askToSkip(name)}>
                    Skip {name}
                  </button>
                </CommandRow>
              </Failure>
            </li>
          )}
        </For>
      </ul>
      <a class="button self-start" href={toJobHash(props.job.id, 'campaign')}>
        <Icon name="graph" /> Open the campaign
      </a>
      <Show when={skipToConfirm()} keyed>
        {({ name, changes }) => (
          <AskDialog
            title={`Skip ${name}?`}
            says={`Skip ${name}`}
            close={() => setSkipToConfirm(null)}
            send={() => skip(name)}
          >
            <ul>
              <For each={changes}>{(text) => <li dir="auto">{text}</li>}</For>
            </ul>
            <p class="muted">This cannot be undone.</p>
          </AskDialog>
        )}
      </Show>
    </>
  );
}
