import { For, Show } from 'solid-js';
import type { PluginView } from '../../src/contract/schema/runner/plugin.ts';
import { toRouteHash } from '../shell/navigation/router.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { HEALTH, KINDS } from './pluginText.ts';

export function PluginList(props: { plugins: readonly PluginView[]; open: string | null }) {
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
