import { join } from 'node:path';
import type { Client } from '../../../src/api/client/client.ts';
import { resolveConfigPlace } from '../../../src/host/config/home/resolveConfigPlace.ts';
import { listInstalledIds, toPluginsDir } from '../../../src/plugins/install.ts';
import { addGivenSettings } from '../../../src/plugins/givenSettings.ts';
import { readPackage } from '../../../src/plugins/manifest.ts';
import type { PluginManifest } from '../../../src/contract/schema/runner/plugin.ts';
import type { Io } from '../../io.ts';
import { findPackageRoot } from '../../findPackageRoot.ts';

type PluginSettings = PluginManifest['settings'] | null;

/** Settings of an installed plugin as its manifest in this home declares them; null = unknown. */
async function readSettingsInHome(io: Io, id: string): Promise<PluginSettings> {
  const { home } = resolveConfigPlace({
    env: io.env,
    homeDir: io.homeDir,
    flags: {},
    packageRoot: findPackageRoot(import.meta.url),
  });
  const dir = toPluginsDir(home);
  if (!(await listInstalledIds(dir)).includes(id)) return null;
  // A broken manifest is reported where plugins are listed; here the plugin is unknown.
  const pluginPackage = await readPackage(join(dir, id)).catch(() => null);
  return pluginPackage && (addGivenSettings(pluginPackage.manifest).settings ?? {});
}

/** As the runner says, or this home where none answers; null = the plugin is not known. */
export async function findInstalledSettings(
  io: Io,
  client: Promise<Client>,
  id: string,
): Promise<PluginSettings> {
  try {
    const installedPlugin = (await (await client).plugins()).find((plugin) => plugin.id === id);
    return installedPlugin && installedPlugin.origin !== 'leftover'
      ? installedPlugin.settings
      : null;
  } catch {
    return readSettingsInHome(io, id);
  }
}
