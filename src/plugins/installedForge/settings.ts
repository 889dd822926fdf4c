import type { PluginContext } from '../../contract/plugin.ts';
import { REMOTE_FORGE_SETTINGS } from '../../providers/rest/forgePlugin.ts';
import type { PluginManifest } from '../../schema/plugin.ts';

/** Names of the settings that svc gives every forge; the plugin never sees them. */
export const FORGE_SETTING_NAMES: readonly string[] = Object.keys(REMOTE_FORGE_SETTINGS);

/** The manifest with the settings that svc gives plugins of its kind. */
export function allSettings(manifest: PluginManifest): PluginManifest {
  if (manifest.kind !== 'scm') return manifest;
  const { webhookSecret, ...others } = REMOTE_FORGE_SETTINGS;
  const ours = manifest.webhook ? { ...others, webhookSecret } : others;
  return { ...manifest, settings: { ...manifest.settings, ...ours } };
}

/** The plugin's own settings among these. */
export const ownConfig = (
  { settings = {} }: PluginManifest,
  config: PluginContext['config'],
): PluginContext['config'] =>
  Object.fromEntries(Object.entries(config).filter(([name]) => Object.hasOwn(settings, name)));
