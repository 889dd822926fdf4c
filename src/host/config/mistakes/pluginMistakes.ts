import { isDeepStrictEqual } from 'node:util';
import type { FieldError } from '../../../base/errors/errors.ts';
import type { CheckSettings } from '../../../contract/schema/runner/plugin.ts';
import { type Change, toJsonPointer } from '../file/derivePatchChanges.ts';
import type { Config } from '../configSchema.ts';

const INSTALLED = ['plugins', 'installed'] as const;

/**
 * What a change makes wrong in the settings of plugins, each with its place. A setting that the
 * change leaves as it was is not its mistake, and one that is still missing may follow.
 */
export function findNewPluginMistakes(
  { before, after, changes }: { before: Config; after: Config; changes: readonly Change[] },
  check: CheckSettings,
): FieldError[] {
  if (!changes.some(({ path: [section] }) => section === 'plugins')) return [];
  return Object.entries(after.plugins.installed).flatMap(([plugin, { config }]) => {
    const old = before.plugins.installed[plugin]?.config ?? {};
    const isChanged = (name: string): boolean =>
      !Object.hasOwn(old, name) || !isDeepStrictEqual(old[name], config[name]);
    const result = check(plugin, config);
    return (typeof result === 'string' ? [] : result)
      .filter(({ name, kind }) => kind !== 'missing' && isChanged(name))
      .map(({ name, message }) => ({
        pointer: toJsonPointer([...INSTALLED, plugin, 'config', name]),
        message,
      }));
  });
}

/** The forge without which no runner starts uses the default of what does not fit. */
const describePluginConsequence = (plugin: string): string =>
  plugin === 'local'
    ? 'the default applies instead'
    : `${plugin} cannot be used until this is fixed`;

/**
 * What is wrong with the settings of plugins as they are, and which could not be checked. One whose
 * plugin is not installed is named by the warnings of the configuration.
 */
export function listPluginWarnings({ plugins }: Config, check: CheckSettings): string[] {
  return Object.entries(plugins.installed).flatMap(([plugin, { config, enabled }]) => {
    const place = `plugins.installed.${plugin}`;
    const result = check(plugin, config);
    if (result === 'unreadable')
      return [
        `${place}: the manifest of this plugin cannot be read, so its settings are not checked`,
      ];
    if (result === 'not-installed') return [];
    return result.map(
      ({ message }) =>
        `${place}.config: ${message}${enabled ? `; ${describePluginConsequence(plugin)}` : ''}`,
    );
  });
}
