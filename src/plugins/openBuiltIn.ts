import type { PluginContext } from '../contract/runner/plugin.ts';
import { toErrorMessage } from '../base/errors/errors.ts';
import type { PluginManifest } from '../contract/schema/runner/plugin.ts';
import type { PluginSettings } from '../contract/schema/runner/settings.ts';
import { checkPluginConfig } from './pluginConfig.ts';

export interface OpenedBuiltIn<Service> {
  id: string;
  /** False: `plugins.installed` does not name it, or switches it off. */
  configured: boolean;
  /** Why it cannot be used though it is configured; null = it can. */
  problem: string | null;
  /** Its settings, checked; null = it is not configured, or cannot be used. */
  config: PluginContext['config'] | null;
  /** null as above. */
  service: Service | null;
}

/**
 * Opens a built-in plugin with its settings of `plugins.installed`. Never rejects: wrong settings
 * affect only this one.
 */
export async function openBuiltIn<Service>(
  manifest: PluginManifest,
  settings: PluginSettings | undefined,
  open: (config: PluginContext['config']) => Service | Promise<Service>,
): Promise<OpenedBuiltIn<Service>> {
  const { id } = manifest;
  if (settings === undefined || settings.enabled === false)
    return { id, configured: false, problem: null, config: null, service: null };
  try {
    const config = checkPluginConfig(manifest, settings.config ?? {});
    return { id, configured: true, problem: null, config, service: await open(config) };
  } catch (error) {
    return { id, configured: true, problem: toErrorMessage(error), config: null, service: null };
  }
}
