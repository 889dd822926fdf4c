import { For, Show } from 'solid-js';
import { Dialog } from '../controls/Dialog.tsx';
import { useDashboard } from '../dashboard.ts';
import { Icon } from '../controls/Icon.tsx';
import type { KeyBinding } from './keys.ts';
import { listShortcuts } from './listShortcuts.ts';
import { forgetLogin, readPageKey } from '../connection/login.ts';
import { askToNotify, canNotify } from '../notices/notifications.ts';
import { listPageKeys } from './pageKeys.ts';
import { useStore } from '../useStore.ts';

/** The build writes it. */
const NOTICES = '/dashboard/third-party-licences.txt';

export function Help() {
  const dashboard = useDashboard();
  const { shell, run } = dashboard;
  const singleKeys = useStore(shell, (context) => context.singleKeys);
  const notify = useStore(shell, (context) => context.notify);
  const close = () => shell.trigger.closed();
  const bindings = (): readonly KeyBinding[] =>
    [...listPageKeys(), ...listShortcuts(dashboard)].filter(({ keys }) => keys.length > 0);

  async function switchNotifications(isOn: boolean): Promise<void> {
    shell.trigger.notifying({ notify: isOn && (await askToNotify()) });
  }

  async function logOut(): Promise<void> {
    if (!(await run('Logged out.', (client) => client.logout()))) return;
    forgetLogin();
    close();
  }

  return (
    <Dialog label="Shortcuts and settings" close={close}>
      <div class="section-head">
        <h2>Shortcuts and settings</h2>
        <button type="button" class="quiet icon-only" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <table class="shortcuts">
        <tbody>
          <tr>
            <th scope="row">Search pages, jobs and actions</th>
            <td>
              <kbd>Ctrl</kbd> <kbd>K</kbd>
            </td>
          </tr>
          <For each={bindings()}>
            {({ keys, says }) => (
              <tr>
                <th scope="row">{says}</th>
                <td>
                  <For each={keys}>{(key) => <kbd>{key}</kbd>}</For>
                </td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
      <div class="stack settings">
        <label class="row">
          <input
            type="checkbox"
            checked={singleKeys()}
            onChange={(event) => shell.trigger.keyed({ singleKeys: event.currentTarget.checked })}
          />
          Single-key shortcuts
        </label>
        <label class="row">
          <input
            type="checkbox"
            checked={notify()}
            disabled={!canNotify()}
            onChange={(event) => void switchNotifications(event.currentTarget.checked)}
          />
          Notify me when a job needs me
        </label>
        <Show when={!canNotify()}>
          <small>
            This browser blocks notifications from this page. Allow them for this address in its
            settings.
          </small>
        </Show>
      </div>
      <Show when={readPageKey() !== null}>
        <p>
          <button type="button" onClick={() => void logOut()}>
            Log this browser out
          </button>
        </p>
      </Show>
      <p class="about muted">
        svc is free software under the MIT licence.{' '}
        <a href={NOTICES} target="_blank" rel="noopener">
          Third-party licences
        </a>
      </p>
    </Dialog>
  );
}
