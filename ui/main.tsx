import { render } from 'solid-js/web';
import { createClient } from '../src/client/client.ts';
import { createJobsStore } from './jobs/jobsStore.ts';
import { followJobs } from './jobs/followJobs.ts';
import './shell/base.css';
import './shell/controls.css';
import './shell/overlays.css';
import './shell/shell.css';
import './shell/theme.css';
import { App } from './shell/App.tsx';
import { createConnection } from './shell/connection.ts';
import { startOfShell, keepShell } from './shell/kept.ts';
import { createShellStore } from './shell/shellStore.ts';

const client = createClient({ baseUrl: location.origin });
const shell = createShellStore(startOfShell());
const jobs = createJobsStore();
const connection = createConnection(client, shell, Date.now);
keepShell(shell);
void followJobs({ client, jobs, connection, signal: new AbortController().signal });

async function run(says: string, send: (to: typeof client) => Promise<unknown>): Promise<boolean> {
  try {
    await send(client);
    shell.trigger.did({ text: says });
    return true;
  } catch (error) {
    connection.report(error);
    shell.trigger.failed({ text: 'That did not work', error });
    return false;
  }
}

const root = document.getElementById('app');
if (root) render(() => <App dashboard={{ client, shell, jobs, connection, run }} tryNow={connection.look} />, root);
