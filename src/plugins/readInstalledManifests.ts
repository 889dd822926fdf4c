import { join } from 'node:path';
import { listInstalledIds, toPluginsDir } from './install.ts';
import { readPackage } from './manifest.ts';
import type { PluginManifest } from '../contract/schema/runner/plugin.ts';

/** What the plugins of a home say of themselves; one whose manifest is wrong is left out. */
export async function readInstalledManifests(home: string): Promise<PluginManifest[]> {
  const dir = toPluginsDir(home);
  const found = await Promise.all(
    (await listInstalledIds(dir)).map((id) => readPackage(join(dir, id)).catch(() => null)),
  );
  return found.flatMap((one) => one?.manifest ?? []);
}
