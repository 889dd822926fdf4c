import { For, Show } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import { AskDialog } from '../shell/controls/AskDialog.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { toJobHash } from '../shell/navigation/router.ts';

export function UninstallPlugin(props: { id: string; close: () => void; removed: () => void }) {
  const { client, run } = useDashboard();
  const [jobs] = createReading(() => client.pluginJobs(props.id));
  const send = () =>
    run(`${props.id} is removed`, async (to) => {
      await to.uninstallPlugin(props.id);
      props.removed();
    });
  return (
    <AskDialog
      title={`Remove ${props.id}?`}
      says="Remove"
      danger
      isReady={jobs.latest !== undefined}
      close={props.close}
      send={send}
    >
      <p>
        Running sessions continue. Its secrets are removed from the configuration; its other
        settings stay.
      </p>
      <Show when={(jobs.error ? [] : (jobs.latest ?? [])).length > 0}>
        <p>These jobs need it, and cannot continue until it is installed again:</p>
        <ul>
          <For each={jobs.latest}>
            {(job) => (
              <li>
                <a href={toJobHash(job.id)}>
                  <bdi>{job.id}</bdi>
                </a>{' '}
                <bdi>{job.needs.join(', ')}</bdi>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </AskDialog>
  );
}
