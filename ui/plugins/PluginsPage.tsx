import { createEffect, createSignal, on, onMount, Show, For } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { toRouteHash } from '../shell/navigation/router.ts';
import { useStore } from '../shell/useStore.ts';
import { InstallPlugin } from './InstallPlugin.tsx';
import { parseLoginQuery } from './loginAnswer.ts';
import { PluginDetail } from './PluginDetail.tsx';
import { HeadButton } from '../shell/controls/HeadButton.tsx';
import './plugins.css';
import type { PluginView } from '../../src/contract/schema/runner/plugin.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { HEALTH, KINDS } from './pluginText.ts';

function PluginList(props: { plugins: readonly PluginView[]; open: string | null }) {
  return (
    <nav class="plugin-list" aria-label="Plugins">
      <For each={KINDS}>
        {([kind, says]) => {
          const ofKind = () => props.plugins.filter((plugin) => plugin.kind === kind);
          return (
            <Show when={ofKind().length > 0}>
              <h2>{says}</h2>
              <ul class="plain">
                <For each={ofKind()}>
                  {(plugin) => (
                    <li>
                      <a
                        href={toRouteHash(['plugins', plugin.id])}
                        aria-current={plugin.id === props.open ? 'page' : undefined}
                      >
                        <span class="grow">
                          <strong>
                            <bdi>{plugin.id}</bdi>
                          </strong>
                          <small>{revealTurningCharacters(plugin.title)}</small>
                        </span>
                        <span class={`pill ${HEALTH[plugin.health.state].tone}`}>
                          {HEALTH[plugin.health.state].says}
                        </span>
                      </a>
                    </li>
                  )}
                </For>
              </ul>
            </Show>
          );
        }}
      </For>
    </nav>
  );
}

/** A vendor's login answer goes to the runner, and out of the address at once. */
export function PluginsPage(props: {
  pluginId: string | null;
  query: Readonly<Record<string, string>>;
}) {
  const { client, shell, run } = useDashboard();
  const reconnects = useStore(shell, (context) => context.healed);
  const [plugins, { refetch }] = createReading(() => client.plugins());
  const [installs, setInstalls] = createSignal(false);
  const again = () => void refetch();
  createEffect(on(reconnects, again, { defer: true }));
  onMount(async () => {
    const answer = parseLoginQuery(props.query);
    if (answer === null) return;
    history.replaceState(null, '', `${location.pathname}#/plugins`);
    await run('Logged in', async (to) => {
      const logins = await to.vendorLogins();
      const mine = logins.find(({ own, state }) => own && state === answer.state);
      if (!mine)
        throw new Error('No login of this browser waits for that answer. Begin the login again.');
      try {
        await to.completeVendorLogin({
          ...answer,
          state: answer.state ?? '',
          executor: mine.executor,
        });
      } finally {
        // Only now: the page that opens reads how the login has ended.
        location.hash = toRouteHash(['plugins', mine.executor]);
      }
    });
    again();
  });
  /** On a wide page one is always open: the first that needs something, else the first. */
  const first = () =>
    (
      plugins.latest?.find(({ health }) => HEALTH[health.state].tone === 'bad') ??
      plugins.latest?.[0]
    )?.id ?? null;
  const openId = () => props.pluginId ?? first();
  const open = () => plugins.latest?.find(({ id }) => id === openId());
  return (
    <div class="page plugins-page" classList={{ 'has-plugin': props.pluginId !== null }}>
      <div class="page-head">
        <h1>Plugins</h1>
        <HeadButton says="Refresh" icon="redo" disabled={plugins.loading} onClick={again} />
        <button type="button" onClick={() => setInstalls(true)}>
          <Icon name="plus" /> Install
        </button>
      </div>
      <ReadingView reading={plugins} retry={again}>
        <Show when={plugins.latest} fallback={<p class="muted">Loading …</p>}>
          {(list) => (
            <div class="plugins-columns">
              <PluginList plugins={list()} open={openId()} />
              <Show when={openId()} keyed>
                {(id) => (
                  <Show when={open()} fallback={<p class="muted">No plugin {id} is installed.</p>}>
                    {(plugin) => <PluginDetail plugin={plugin()} onChange={again} />}
                  </Show>
                )}
              </Show>
            </div>
          )}
        </Show>
      </ReadingView>
      <Show when={installs()}>
        <InstallPlugin close={() => setInstalls(false)} onInstall={again} />
      </Show>
    </div>
  );
}
