import { join } from 'node:path';
import type { CheckSettings, PluginSetting } from '../contract/schema/runner/plugin.ts';
import { BUILT_IN_MANIFESTS } from './builtInCatalogue.ts';
import { addGivenSettings } from './givenSettings.ts';
import { listInstalledIds, toPluginsDir } from './install.ts';
import { readPackage } from './manifest.ts';
import { findSettingMistakes } from './pluginConfig.ts';

/** Declared settings of the plugins of a home, where no runner runs. */
export interface PluginSchemas {
  /** null = the plugin or its manifest is unknown. */
  settings(plugin: string): Readonly<Record<string, PluginSetting>> | null;
  check: CheckSettings;
}

export async function readPluginSchemas(home: string): Promise<PluginSchemas> {
  const dir = toPluginsDir(home);
  const manifests = new Map(BUILT_IN_MANIFESTS.map((manifest) => [manifest.id, manifest]));
  const unreadable = new Set<string>();
  for (const id of await listInstalledIds(dir)) {
    const pluginPackage = await readPackage(join(dir, id)).catch(() => null);
    if (pluginPackage === null) unreadable.add(id);
    else manifests.set(id, addGivenSettings(pluginPackage.manifest));
  }
  return {
    settings(plugin) {
      const manifest = manifests.get(plugin);
      return manifest === undefined ? null : (manifest.settings ?? {});
    },
    check(plugin, values) {
      const manifest = manifests.get(plugin);
      if (manifest) return findSettingMistakes(manifest, values);
      return unreadable.has(plugin) ? 'unreadable' : 'not-installed';
    },
  };
}
