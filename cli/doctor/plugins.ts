import type { Client } from '../../src/client/client.ts';
import type { Settings } from '../../src/schema/settings.ts';
import type { PluginView } from '../../src/schema/plugin.ts';
import { type Finding, failed, ok, warning } from './check.ts';

/**
 * The plugins of a runner, after it has checked those executors that are configured but were not
 * checked yet. One that cannot be asked stays unchecked.
 */
export async function checkedPlugins(
  client: Pick<Client, 'plugins' | 'checkPlugin'>,
  configured: Settings['plugins'],
): Promise<PluginView[]> {
  return Promise.all(
    (await client.plugins()).map(async (plugin) => {
      const { id, kind, health } = plugin;
      const isSet = Object.keys(configured[id]?.config ?? {}).length > 0;
      if (kind !== 'executor' || health.state !== 'unchecked' || !isSet) return plugin;
      return { ...plugin, health: await client.checkPlugin(id).catch(() => health) };
    }),
  );
}

export function judgePlugins(plugins: readonly PluginView[]): Finding {
  const sick = plugins.filter(({ health }) => health.state === 'unhealthy');
  if (sick.length > 0) {
    return failed(
      sick.map(({ id, health }) => `${id}: ${health.detail}`).join('; '),
      `Fix what it reports, then run: ${sick.map(({ id }) => `svc plugin healthcheck ${id}`).join('; ')}`,
    );
  }
  const left = plugins.filter(({ origin }) => origin === 'leftover').map(({ id }) => id);
  if (left.length > 0) {
    return warning(
      `settings without a plugin: ${left.join(', ')}`,
      left.map((id) => `svc config set plugins.installed.${id} --unset`).join('; '),
    );
  }
  if (!plugins.some(({ kind, health }) => kind === 'executor' && health.state !== 'disabled'))
    return warning('no executor is installed: no session can run', 'svc plugin install <name>');
  return ok(plugins.map(({ id, health }) => `${id} ${health.state}`).join(', '));
}
