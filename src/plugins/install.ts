import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcError } from '../base/errors/errors.ts';
import type { Ids } from '../base/system/ids/ids.ts';
import type { InstallPluginBody, PluginManifest } from '../contract/schema/runner/plugin.ts';
import { PLUGIN_ID } from '../contract/schema/runner/pluginId.ts';
import { readPackage } from './manifest.ts';
import type { RunNpm } from './npm.ts';
import { stagePackage } from './stagePackage.ts';

/**
 * Folder in the home with one folder per plugin, named by its id; names with a leading dot are
 * being created or removed.
 */
export const toPluginsDir = (home: string): string => join(home, 'plugins');

/** Prefix of the replaced plugin's folder while the new one moves in. */
const OLD = 'old-';

export interface InstallDeps {
  pluginsDir: string;
  npm: RunNpm;
  ids: Ids;
  /** Ids that no installed plugin may take. */
  taken: readonly string[];
}

function checkId(
  manifest: PluginManifest,
  { id }: InstallPluginBody,
  takenIds: readonly string[],
): void {
  if (id !== undefined && id !== manifest.id) {
    throw new SvcError(
      'conflict',
      `The package is the plugin ${manifest.id}, not ${id}. Nothing was installed.`,
    );
  }
  if (takenIds.includes(manifest.id)) {
    throw new SvcError(
      'conflict',
      `${manifest.id} is built into svc; a plugin cannot take its id. Nothing was installed.`,
    );
  }
}

/**
 * Installs a plugin into `<pluginsDir>/<id>`, replacing an existing one; a restarted runner sees
 * either the old or the new one. First checks every archive entry, the manifest and, after npm
 * fetched the dependencies, the files on disk. Scripts run only with `allowScripts`. Returns the
 * id.
 */
export async function installPlugin(deps: InstallDeps, body: InstallPluginBody): Promise<string> {
  const { pluginsDir, npm, ids } = deps;
  const staging = join(pluginsDir, `.staging-${ids.next()}`);
  try {
    const { dir, found } = await stagePackage(npm, staging, body, async (packageDir) => {
      const pluginPackage = await readPackage(packageDir);
      checkId(pluginPackage.manifest, body, deps.taken);
      return pluginPackage;
    });
    const { manifest } = found;
    const target = join(pluginsDir, manifest.id);
    const old = join(staging, `${OLD}${manifest.id}`);
    await rename(target, old).catch(ignoreMissingFolder);
    await rename(dir, target);
    return manifest.id;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

const ignoreMissingFolder = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'ENOENT') throw error;
};

/** Throws SvcError `not-found` if it is not installed. */
export async function uninstallPlugin(
  { pluginsDir, ids }: Pick<InstallDeps, 'pluginsDir' | 'ids'>,
  id: string,
): Promise<void> {
  const removedDir = join(pluginsDir, `.removed-${ids.next()}`);
  try {
    await rename(join(pluginsDir, id), removedDir);
  } catch (error) {
    ignoreMissingFolder(error as NodeJS.ErrnoException);
    throw new SvcError('not-found', `No plugin ${id} is installed.`);
  }
  await rm(removedDir, { recursive: true, force: true });
}

export async function listInstalledIds(pluginsDir: string): Promise<string[]> {
  const entries = await readdir(pluginsDir, { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      // A home below a file is refused when it is made.
      if (error.code !== 'ENOTDIR') ignoreMissingFolder(error);
      return [];
    },
  );
  return entries
    .flatMap((entry) => (entry.isDirectory() && PLUGIN_ID.test(entry.name) ? [entry.name] : []))
    .sort();
}

/** After a crash: restores a plugin whose replacement was interrupted, and removes leftovers. */
export async function repairPluginsDir(pluginsDir: string): Promise<void> {
  const names = await readdir(pluginsDir).catch(() => []);
  for (const name of names.filter((one) => /^\.(?:staging|removed)-/.test(one))) {
    const leftoverDir = join(pluginsDir, name);
    for (const old of (await readdir(leftoverDir)).filter((one) => one.startsWith(OLD))) {
      const target = join(pluginsDir, old.slice(OLD.length));
      if (!(await stat(target).catch(() => null))) await rename(join(leftoverDir, old), target);
    }
    await rm(leftoverDir, { recursive: true, force: true });
  }
}
