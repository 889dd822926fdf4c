import type { Client } from '../../src/api/client/client.ts';
import type { Settings } from '../../src/contract/schema/runner/settings.ts';
import { formatSettingMistakes } from '../../src/plugins/pluginConfig.ts';
import type { PluginSchemas } from '../../src/plugins/pluginSchemas.ts';
import type { PluginView } from '../../src/contract/schema/runner/plugin.ts';
import { type Finding, toErrorFinding, toOkFinding, toWarningFinding } from './check.ts';

/**
 * The plugins of a runner, after it has checked those executors that are configured but were not
 * checked yet. One that cannot be asked stays unchecked.
 */
export async function checkConfiguredPlugins(
  client: Pick<Client, 'plugins' | 'checkPlugin'>,
  configuredPlugins: Settings['plugins'],
): Promise<PluginView[]> {
  return Promise.all(
    (await client.plugins()).map(async (plugin) => {
      const { id, kind, health } = plugin;
      const isSet = Object.keys(configuredPlugins[id]?.config ?? {}).length > 0;
      if (kind !== 'executor' || health.state !== 'unchecked' || !isSet) return plugin;
      return { ...plugin, health: await client.checkPlugin(id).catch(() => health) };
    }),
  );
}

/**
 * The settings of this home's plugins by their own manifests, whether or not a runner runs; null =
 * nothing is wrong with them.
 */
export function diagnoseSettings(
  configuredPlugins: Settings['plugins'],
  { settings, check }: PluginSchemas,
): Finding | null {
  const usedPlugins = Object.entries(configuredPlugins).filter(
    ([, { enabled }]) => enabled !== false,
  );
  const wrong = usedPlugins.flatMap(([id, { config = {} }]) => {
    const result = check(id, config);
    const place = `plugins.installed.${id}`;
    if (result === 'unreadable')
      return [{ text: `${place}: its manifest cannot be read.`, fix: [`svc plugin list`] }];
    if (typeof result === 'string' || result.length === 0) return [];
    const fix = result.map(({ name, kind }) => {
      const value = settings(id)?.[name]?.secret === true ? '- < file' : '<value>';
      return `svc config set ${place}.config.${name} ${kind === 'missing' ? value : '--unset'}`;
    });
    return [{ text: formatSettingMistakes(`${place}.config`, result), fix }];
  });
  if (wrong.length === 0) return null;
  return toErrorFinding(
    wrong.map(({ text }) => text).join(' '),
    `Correct the value, or: ${wrong.flatMap(({ fix }) => fix).join('; ')}`,
  );
}

export function diagnosePlugins(plugins: readonly PluginView[]): Finding {
  const sick = plugins.filter(({ health }) => health.state === 'unhealthy');
  if (sick.length > 0) {
    return toErrorFinding(
      sick.map(({ id, health }) => `${id}: ${health.detail.replace(/\.$/, '')}`).join('; '),
      `Fix what it reports, then run: ${sick.map(({ id }) => `svc plugin healthcheck ${id}`).join('; ')}`,
    );
  }
  const leftoverIds = plugins.filter(({ origin }) => origin === 'leftover').map(({ id }) => id);
  if (leftoverIds.length > 0) {
    return toWarningFinding(
      `settings without a plugin: ${leftoverIds.join(', ')}`,
      leftoverIds.map((id) => `svc config set plugins.installed.${id} --unset`).join('; '),
    );
  }
  if (!plugins.some(({ kind, health }) => kind === 'executor' && health.state !== 'disabled'))
    return toWarningFinding(
      'no executor is installed: no session can run',
      'svc plugin install <name>',
    );
  return toOkFinding(plugins.map(({ id, health }) => `${id} ${health.state}`).join(', '));
}
