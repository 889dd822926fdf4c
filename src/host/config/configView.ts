import { Config } from './configSchema.ts';
import { HIDDEN, hideSecrets } from './secrets.ts';
import { PluginEntry } from './sections/plugins.ts';

/**
 * Settings of a plugin as its manifest declares them; null = the manifest is not known, and all
 * texts are hidden.
 */
export type PluginSettingsOf = (
  plugin: string,
) => Readonly<Record<string, { secret?: boolean }>> | null;

export function hideConfigSecrets(
  config: Config,
  readSettings: PluginSettingsOf,
): Record<string, unknown> {
  const installedPlugins = Object.entries(config.plugins.installed).map(([plugin, entry]) => {
    const settings = readSettings(plugin) ?? {};
    const declaredSettings = Object.entries(entry.config).flatMap(
      ([name, value]): [string, unknown][] => {
        if (!Object.hasOwn(settings, name)) return [];
        // A secret that was written as a number is one too.
        return [[name, settings[name]?.secret === true && value !== '' ? HIDDEN : value]];
      },
    );
    const hiddenEntry = Object(hideSecrets(entry, PluginEntry));
    return [
      plugin,
      {
        ...hiddenEntry,
        config: { ...hiddenEntry.config, ...Object.fromEntries(declaredSettings) },
      },
    ] as const;
  });
  return {
    ...Object(hideSecrets(config, Config)),
    plugins: { installed: Object.fromEntries(installedPlugins) },
  };
}

/** Values of the settings that a manifest calls secret, whatever their names. */
export const collectDeclaredSecrets = (config: Config, readSettings: PluginSettingsOf): string[] =>
  Object.entries(config.plugins.installed).flatMap(([plugin, { config: values }]) =>
    Object.entries(readSettings(plugin) ?? {}).flatMap(([name, { secret }]) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      return secret === true && typeof value === 'string' ? [value] : [];
    }),
  );
