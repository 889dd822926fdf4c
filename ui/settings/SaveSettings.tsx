import { For, Show } from 'solid-js';
import { AskDialog } from '../shell/controls/AskDialog.tsx';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import type { SettingsChange } from './listSettingsChanges.ts';
import { keyNeedsRestart } from './settingsFields.ts';

/** What is about to be saved, old and new, before it is. */
export function SaveSettings(props: {
  changes: readonly SettingsChange[];
  live: readonly string[];
  file: string;
  close: () => void;
  save: () => Promise<boolean>;
}) {
  return (
    <AskDialog title="Save these changes?" says="Save" close={props.close} send={props.save}>
      <p class="muted">
        In <bdi>{props.file}</bdi>. All else in the file stays as it is.
      </p>
      <dl class="settings-changes">
        <For each={props.changes}>
          {({ key, before, after }) => (
            <>
              <dt>
                <code>{key}</code>
                <Show when={keyNeedsRestart(key, props.live)}>
                  <span class="pill needs-you">restart</span>
                </Show>
              </dt>
              <dd>
                <del>{revealTurningCharacters(before)}</del> →{' '}
                <ins>{revealTurningCharacters(after)}</ins>
              </dd>
            </>
          )}
        </For>
      </dl>
    </AskDialog>
  );
}
