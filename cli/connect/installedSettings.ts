import { join } from 'node:path';
import type { Client } from '../../src/client/client.ts';
import { configPlace } from '../../src/config/place.ts';
import { installedIds, pluginsDirOf } from '../../src/plugins/install.ts';
import { allSettings } from '../../src/plugins/givenSettings.ts';
import { readPackage } from '../../src/plugins/manifest.ts';
import type { PluginManifest } from '../../src/schema/plugin.ts';
import type { Io } from '../io.ts';
import { packageRoot } from '../packageRoot.ts';

type PluginSettings = PluginManifest['settings'] | null;

/** Settings of an installed plugin as its manifest in this home declares them; null = unknown. */
async function inHome(io: Io, id: string): Promise<PluginSettings> {
  const { home } = configPlace({
    env: io.env,
    homeDir: io.homeDir,
    flags: {},
    packageRoot: packageRoot(import.meta.url),
  });
  const dir = pluginsDirOf(home);
  if (!(await installedIds(dir)).includes(id)) return null;
  // One whose manifest is wrong is reported where plugins are listed; here it is not known.
  const found = await readPackage(join(dir, id)).catch(() => null);
  return found && (allSettings(found.manifest).settings ?? {});
}

/** As the runner says, or this home where none answers; null = the plugin is not known. */
export async function installedSettings(
  io: Io,
  client: Promise<Client>,
  id: string,
): Promise<PluginSettings> {
  try {
    const found = (await (await client).plugins()).find((plugin) => plugin.id === id);
    return found && found.origin !== 'leftover' ? found.settings : null;
  } catch {
    return inHome(io, id);
  }
}
