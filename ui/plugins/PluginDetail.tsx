import { createSignal, For, Show } from 'solid-js';
import type { PluginView } from '../../src/contract/schema/runner/plugin.ts';
import { JobLink } from '../jobs/JobLink.tsx';
import { formatAge, formatDateTime } from '../jobs/jobText.ts';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { PluginChecks } from './PluginChecks.tsx';
import { PluginLogin } from './PluginLogin.tsx';
import { PluginSettings } from './PluginSettings.tsx';
import { describeCapabilities, HEALTH, describePluginOrigin } from './pluginText.ts';
import { createReading } from '../shell/signals/createReading.ts';
import { AskDialog } from '../shell/controls/AskDialog.tsx';
import { useDashboard } from '../shell/dashboard.ts';

function UninstallPlugin(props: { id: string; close: () => void; onRemove: () => void }) {
  const { client, run } = useDashboard();
  const [jobs] = createReading(() => client.pluginJobs(props.id));
  const send = () =>
    run(`${props.id} is removed`, async (to) => {
      await to.uninstallPlugin(props.id);
      props.onRemove();
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
                <JobLink jobId={job.id} />
                <bdi>{job.needs.join(', ')}</bdi>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </AskDialog>
  );
}

export function PluginDetail(props: { plugin: PluginView; onChange: () => void }) {
  const [removes, setRemoves] = createSignal(false);
  // A login writes settings: the form begins again with them.
  const [loginCount, setLoginCount] = createSignal(0);
  const health = () => props.plugin.health;
  return (
    <article class="plugin-detail stack" aria-labelledby="plugin-name">
      <a class="plugin-back" href="#/plugins">
        All plugins
      </a>
      <header class="stack">
        <div class="row">
          <h2 id="plugin-name">
            <bdi>{props.plugin.id}</bdi>
          </h2>
          <span class={`pill ${HEALTH[health().state].tone}`}>{HEALTH[health().state].says}</span>
          <small>{describePluginOrigin(props.plugin)}</small>
        </div>
        <p>{revealTurningCharacters(props.plugin.title)}</p>
        <Show when={health().detail}>
          <p class={health().state === 'unhealthy' ? 'form-wrong' : 'muted'}>
            {revealTurningCharacters(health().detail)}
          </p>
        </Show>
        <Show when={health().checkedAt}>
          {(at) => (
            <small title={formatDateTime(at())}>checked {formatAge(at(), nowForAges())}</small>
          )}
        </Show>
        <Show when={describeCapabilities(props.plugin).length > 0}>
          <ul class="plain row" aria-label="What it can do">
            <For each={describeCapabilities(props.plugin)}>
              {(says) => <li class="pill">{says}</li>}
            </For>
          </ul>
        </Show>
      </header>
      <Show when={props.plugin.origin !== 'leftover'}>
        <Show when={props.plugin.offers.includes('login')}>
          <PluginLogin
            id={props.plugin.id}
            onChange={() => {
              setLoginCount((n) => n + 1);
              props.onChange();
            }}
          />
        </Show>
        <PluginChecks plugin={props.plugin} onChange={props.onChange} />
        <Show when={loginCount() + 1} keyed>
          <PluginSettings plugin={props.plugin} onSave={props.onChange} />
        </Show>
      </Show>
      <Show when={props.plugin.origin === 'installed'}>
        <section class="section" aria-label="Removal">
          <button type="button" class="danger" onClick={() => setRemoves(true)}>
            Remove the plugin
          </button>
        </section>
      </Show>
      <Show when={removes()}>
        <UninstallPlugin
          id={props.plugin.id}
          close={() => setRemoves(false)}
          onRemove={() => {
            props.onChange();
            location.hash = '#/plugins';
          }}
        />
      </Show>
    </article>
  );
}
