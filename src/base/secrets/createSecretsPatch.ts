import { isJsonObject } from '../json/isJsonObject.ts';

type Patch = Record<string, unknown>;

/**
 * The patch that removes a plugin's secrets from the configuration. Its other settings stay, and an
 * entry without settings is removed. null = none of these settings has a value.
 */
export function createSecretsPatch(
  config: unknown,
  plugin: string,
  secrets: readonly string[],
): { patch: Patch; removed: string[] } | null {
  const plugins: unknown = Object(config).plugins;
  const installedPlugins: unknown = Object(plugins).installed;
  const entry: unknown =
    isJsonObject(installedPlugins) &&
    Object.hasOwn(installedPlugins, plugin) &&
    installedPlugins[plugin];
  const givenConfig: unknown = Object(entry).config;
  if (!isJsonObject(givenConfig)) return null;
  const removedNames = secrets.filter((name) => Object.hasOwn(givenConfig, name));
  if (removedNames.length === 0) return null;
  const isLast = Object.keys(givenConfig).length === removedNames.length;
  const change = isLast
    ? null
    : { config: Object.fromEntries(removedNames.map((name) => [name, null])) };
  return { patch: { plugins: { installed: { [plugin]: change } } }, removed: removedNames };
}
