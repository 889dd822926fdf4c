import { join } from 'node:path';
import { listInstalledIds, toPluginsDir } from './install.ts';
import { readPackage } from './manifest.ts';
import type { PluginManifest } from '../contract/schema/runner/plugin.ts';

/** Manifests of a home's plugins; invalid ones are left out. */
export async function readInstalledManifests(home: string): Promise<PluginManifest[]> {
  const dir = toPluginsDir(home);
  const pluginPackages = await Promise.all(
    (await listInstalledIds(dir)).map((id) => readPackage(join(dir, id)).catch(() => null)),
  );
  return pluginPackages.flatMap((one) => one?.manifest ?? []);
}
