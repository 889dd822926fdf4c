import { createSignal, For, Show } from 'solid-js';
import { canBeUndone, undoSkip } from '../campaign/undoSkip.ts';
import { changeTexts } from '../campaign/whatIfText.ts';
import { plainReason } from '../jobs/plainText.ts';
import { AskDialog } from '../shell/AskDialog.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import type { Undo } from '../shell/shellStore.ts';
import { Icon } from '../shell/Icon.tsx';
import { CommandRow } from '../shell/CommandRow.tsx';
import { jobHash } from '../shell/router.ts';
import type { AskProps } from './askProps.ts';

/** A halted campaign: what failed, each with the two things that let the campaign continue. */
export function AskHalted(props: AskProps) {
  const failed = () =>
    props.job.subRuns.filter(({ status }) => status === 'failed' || status === 'escalated');
  const { client, shell } = useDashboard();
  /** A skip that cannot be undone, and what it changes; null = none is asked about. */
  const [asked, setAsked] = createSignal<{ name: string; changes: string[] } | null>(null);
  const skip = (name: string, undo?: Undo) =>
    props.command(`${name} skipped.`, (to) => to.skipSubRun(props.job.id, name), undo);
  const askToSkip = async (name: string) => {
    try {
      const effects = await client.subRunWhatIf(props.job.id, name, { action: 'skip' });
      if (effects.refused === null && !canBeUndone(effects))
        setAsked({ name, changes: changeTexts(effects) });
      else await skip(name, undoSkip(props.job.id, name));
    } catch (error) {
      shell.trigger.failed({ text: `${name} was not skipped`, error });
    }
  };
  return (
    <>
      <h2 class="question">The campaign needs a decision</h2>
      {/* As it is: it begins with the name of a sub-run. */}
      <p dir="auto">{props.job.parked?.reason}</p>
      <ul class="plain stack">
        <For each={failed().map(({ name }) => name)}>
          {(name) => (
            <li class="row">
              <strong>
                <bdi>{name}</bdi>
              </strong>{' '}
              <bdi class="muted grow">
                {plainReason(failed().find((one) => one.name === name)?.reason ?? '')}
              </bdi>
              <CommandRow>
                <button
                  type="button"
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
            </li>
          )}
        </For>
      </ul>
      <a class="button self-start" href={jobHash(props.job.id, 'campaign')}>
        <Icon name="graph" /> Open the campaign
      </a>
      <Show when={asked()} keyed>
        {({ name, changes }) => (
          <AskDialog
            title={`Skip ${name}?`}
            says={`Skip ${name}`}
            close={() => setAsked(null)}
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
