import '@fontsource-variable/inter/index.css';
import './shell/font/font.css';
import { render } from 'solid-js/web';
import { createClient } from '../src/api/client/client.ts';
import { followLimits } from './budgets/followLimits.ts';
import { createLimitsStore } from './budgets/limitsStore.ts';
import { createInboxStore } from './inbox/inboxStore.ts';
import { createJobsStore } from './jobs/list/jobsStore.ts';
import { followJobs } from './jobs/list/followJobs.ts';
import './shell/base.css';
import './shell/controls.css';
import './shell/overlays.css';
import './shell/shell.css';
import './shell/theme.css';
import './shell/preferences.css';
import './shell/print.css';
import { API_PATH, isTeamPage } from './shell/apiPath.ts';
import { App } from './shell/App.tsx';
import { followCloud } from './shell/connection/followCloud.ts';
import { createRunnerConnection } from './shell/connection/connection.ts';
import { readShellStart, keepShell } from './shell/keepShell.ts';
import { watchLoginElsewhere, readPageKey, takeLogin } from './shell/connection/login.ts';
import { yieldToBrowser } from './shell/signals/yieldToBrowser.ts';
import { findPageFolder, toHashOfPath } from './shell/navigation/router.ts';
import { createShellStore, type Undo } from './shell/shellStore.ts';

takeLogin();
const place = toHashOfPath(location);
if (place !== null) history.replaceState(null, '', `${findPageFolder(location)}${place}`);

/**
 * Opens the dashboard. Not at the top level of the file: bundles that are loaded on the way import the one that this
 * file is in, which would wait for itself.
 */
async function openDashboard(): Promise<void> {
  const shell = createShellStore(readShellStart());
  const fetchAndNote: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    if (response.status === 401) shell.trigger.loginNeeded();
    return response;
  };
  const team = isTeamPage()
    ? await (await import('./team/openTeam.tsx')).openTeam({ base: API_PATH, fetch: fetchAndNote })
    : null;
  const client =
    team?.client ??
    createClient({ baseUrl: location.origin, pageKey: readPageKey, fetch: fetchAndNote });
  watchLoginElsewhere(() => shell.trigger.loggedIn());
  const jobs = createJobsStore();
  const inbox = createInboxStore();
  const limits = createLimitsStore();
  const connection = createRunnerConnection(client, shell, Date.now);
  keepShell(shell);
  // Limits and the wait for a control plane are those of one runner.
  if (team === null) {
    const { signal } = new AbortController();
    followLimits({ client, jobs, limits, signal });
    followCloud({ client, shell, signal });
  }
  void followAcrossLogins();

  /** A refusal ends the following; once the browser is logged in it begins again. */
  async function followAcrossLogins(): Promise<never> {
    const signal = new AbortController().signal;
    for (;;) {
      const { healed } = shell.getSnapshot().context;
      await followJobs({ client, jobs, inbox, connection, signal });
      await new Promise<void>((resolve) => {
        const look = () => shell.getSnapshot().context.healed !== healed && resolve();
        shell.subscribe(look);
        look();
      });
    }
  }

  async function performCommand(
    says: string,
    send: (to: typeof client) => Promise<unknown>,
    undo?: Undo,
    onRefusal?: (error: unknown) => void,
  ): Promise<boolean> {
    try {
      await send(client);
      shell.trigger.did({ text: says, undo });
      return true;
    } catch (error) {
      connection.report(error);
      if (onRefusal) onRefusal(error);
      else shell.trigger.failed({ text: 'Something went wrong', error });
      return false;
    }
  }

  const root = document.getElementById('app');
  // In a task of its own: this one has loaded the page, and lays it out at its end.
  await yieldToBrowser();
  if (root)
    render(
      () => (
        <App
          dashboard={{
            client,
            shell,
            jobs,
            inbox,
            limits,
            connection,
            team,
            offers: (operation) => team?.offers(operation) ?? true,
            run: performCommand,
          }}
          tryNow={connection.look}
        />
      ),
      root,
    );
}

void openDashboard();
