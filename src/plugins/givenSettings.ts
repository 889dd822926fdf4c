import type { PluginContext } from '../contract/runner/plugin.ts';
import { REMOTE_FORGE_SETTINGS } from '../providers/rest/forgePlugin.ts';
import { REMOTE_TRACKER_SETTINGS } from '../providers/rest/trackerPlugin.ts';
import type { PluginManifest } from '../contract/schema/runner/plugin.ts';

type SettingsMap = NonNullable<PluginManifest['settings']>;

const { webhookSecret: forgeSecret, ...forgeSettings } = REMOTE_FORGE_SETTINGS;
const { wakeAuthors, ignoreAuthors, webhookSecret } = REMOTE_TRACKER_SETTINGS;

/** Settings of every plugin of this kind that svc reads and the plugin never sees. */
function listGivenSettings({ kind, webhook }: PluginManifest): SettingsMap {
  if (kind === 'scm')
    return webhook ? { ...forgeSettings, webhookSecret: forgeSecret } : forgeSettings;
  return kind === 'tracker' && webhook ? { wakeAuthors, ignoreAuthors, webhookSecret } : {};
}

/** Names that a plugin's own settings must not use. */
export const listReservedSettings = (manifest: PluginManifest): string[] =>
  Object.keys(manifest.kind === 'scm' ? REMOTE_FORGE_SETTINGS : listGivenSettings(manifest));

export function addGivenSettings(manifest: PluginManifest): PluginManifest {
  const givenSettings = listGivenSettings(manifest);
  return Object.keys(givenSettings).length === 0
    ? manifest
    : { ...manifest, settings: { ...manifest.settings, ...givenSettings } };
}

export const pickOwnConfig = (
  { settings = {} }: PluginManifest,
  config: PluginContext['config'],
): PluginContext['config'] =>
  Object.fromEntries(Object.entries(config).filter(([name]) => Object.hasOwn(settings, name)));
