import { createSignal } from 'solid-js';
import { AskDialog } from '../shell/controls/AskDialog.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { toRouteHash } from '../shell/navigation/router.ts';

/** Asks which plugin to install, and says first what that runs. */
export function InstallPlugin(props: { close: () => void; onInstall: () => void }) {
  const { run } = useDashboard();
  const [spec, setSpec] = createSignal('');
  const [scripts, setScripts] = createSignal(false);
  const isFolder = () => /^[/~.]/.test(spec().trim());
  const send = () =>
    run('The plugin is installed', async (client) => {
      const { id } = await client.installPlugin({
        spec: spec().trim(),
        ...(scripts() ? { allowScripts: true } : {}),
      });
      props.onInstall();
      location.hash = toRouteHash(['plugins', id]);
    });
  return (
    <AskDialog
      title="Install a plugin"
      says={scripts() ? 'Install and run its scripts' : 'Install'}
      danger={scripts()}
      isReady={spec().trim() !== ''}
      close={props.close}
      send={send}
    >
      <label class="field">
        Name in the npm registry, or absolute path of a folder or a .tgz file
        <input
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder="svc-plugin-greeter@1.2.0"
          value={spec()}
          onInput={({ currentTarget }) => setSpec(currentTarget.value)}
        />
      </label>
      <div class="notice stack" id="install-runs">
        <p>
          <strong>What this does.</strong>{' '}
          {isFolder()
            ? 'Copies that folder of the runner’s machine, '
            : 'Fetches the package and its dependencies from the npm registry, '}
          puts it into the home of the runner, and starts its code once to check it.
        </p>
        <p>
          A plugin is code that runs with the permissions of the runner’s user, in a process of its
          own. It gets its settings, including secrets. A process is not a sandbox: install only
          what you trust.
        </p>
      </div>
      <label class="check row">
        <input
          type="checkbox"
          checked={scripts()}
          onChange={({ currentTarget }) => setScripts(currentTarget.checked)}
        />
        Run the install scripts of the package and of its dependencies, too
      </label>
    </AskDialog>
  );
}
