import { join } from 'node:path';
import { installedIds, pluginsDirOf } from './install.ts';
import { readPackage } from './manifest.ts';
import type { PluginManifest } from '../schema/plugin.ts';

/** What the plugins of a home say of themselves; one whose manifest is wrong is left out. */
export async function installedManifests(home: string): Promise<PluginManifest[]> {
  const dir = pluginsDirOf(home);
  const found = await Promise.all(
    (await installedIds(dir)).map((id) => readPackage(join(dir, id)).catch(() => null)),
  );
  return found.flatMap((one) => one?.manifest ?? []);
}
