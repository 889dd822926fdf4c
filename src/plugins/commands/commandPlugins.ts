import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import type { Ids } from '../../base/system/ids/ids.ts';
import type { RunNpm } from '../npm.ts';
import { type WantedPackage, stagePackage } from '../stagePackage.ts';
import { type CommandPackage, readCommandPackage } from './commandPackage.ts';
import { type ListedPlugin, readPluginList, writePluginList } from './pluginList.ts';

export interface CommandPluginsDeps {
  /** oclif's data folder. */
  dir: string;
  npm: RunNpm;
  ids: Ids;
  /** Whether svc itself has this command; its words are separated by a space. */
  isOurs(command: string): boolean;
}

export interface CommandPlugin {
  name: string;
  version: string;
  type: ListedPlugin['type'];
  root: string;
  commands: string[];
  isRunnerPlugin: boolean;
  /** Why it cannot be used; null = no known problem. */
  problem: string | null;
}

const toPluginRoot = (dir: string, plugin: ListedPlugin): string =>
  plugin.type === 'link' ? plugin.root : join(dir, 'node_modules', ...plugin.name.split('/'));

const toCommandPlugin = (
  { needsNpm: _, ...found }: CommandPackage,
  type: ListedPlugin['type'],
  root: string,
): CommandPlugin => ({
  ...found,
  type,
  root,
  problem: null,
});

/**
 * oclif lets a plugin replace a command. Here commands of svc cannot be replaced, and a command
 * belongs to one plugin only.
 */
async function checkNames(
  { dir, isOurs }: CommandPluginsDeps,
  { name, commands }: CommandPackage,
): Promise<void> {
  const ours = commands.filter(isOurs);
  if (ours.length > 0)
    throw new SvcError(
      'conflict',
      `The package adds the command "${ours[0]}", which svc already has. Nothing was installed.`,
    );
  for (const other of await listCommandPlugins(dir)) {
    const double =
      other.name === name
        ? undefined
        : commands.find((command) => other.commands.includes(command));
    if (double !== undefined)
      throw new SvcError(
        'conflict',
        `The command "${double}" already exists, from ${other.name}. Nothing was installed.`,
      );
  }
}

async function addToPluginList(
  { dir, ids }: CommandPluginsDeps,
  plugin: ListedPlugin,
): Promise<void> {
  const others = (await readPluginList(dir)).filter(({ name }) => name !== plugin.name);
  await writePluginList(dir, [...others, plugin], ids);
}

/** Lists all command plugins, broken ones too, without running any. */
export async function listCommandPlugins(dir: string): Promise<CommandPlugin[]> {
  const plugins = (await readPluginList(dir)).map(async (plugin): Promise<CommandPlugin> => {
    const root = toPluginRoot(dir, plugin);
    try {
      return toCommandPlugin(
        await readCommandPackage(root, plugin.type === 'user'),
        plugin.type,
        root,
      );
    } catch (error) {
      const { name, type } = plugin;
      return {
        name,
        type,
        root,
        version: '',
        commands: [],
        isRunnerPlugin: false,
        problem: toErrorMessage(error),
      };
    }
  });
  return (await Promise.all(plugins)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Installs a package with commands in oclif's data folder, or replaces it. Scripts run only with
 * `allowScripts`; other code of it runs only when one of its commands is called. Throws SvcError
 * `invalid` or `conflict`, with nothing changed.
 */
export async function installCommandPlugin(
  deps: CommandPluginsDeps,
  wantedPackage: WantedPackage,
): Promise<CommandPlugin> {
  const staging = join(deps.dir, `.staging-${deps.ids.next()}`);
  try {
    const { dir, found } = await stagePackage(
      deps.npm,
      staging,
      wantedPackage,
      async (packageDir) => {
        const read = await readCommandPackage(packageDir, true);
        await checkNames(deps, read);
        return read;
      },
    );
    const plugin = { name: found.name, type: 'user' } as const;
    const root = toPluginRoot(deps.dir, plugin);
    await mkdir(dirname(root), { recursive: true, mode: 0o700 });
    await rename(root, join(staging, 'old')).catch(ignoreMissingFile);
    await rename(dir, root);
    await addToPluginList(deps, plugin);
    return toCommandPlugin(found, 'user', root);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Links a folder, so that later changes in it take effect at once. Runs and fetches nothing. */
export async function linkCommandPlugin(
  deps: CommandPluginsDeps,
  root: string,
): Promise<CommandPlugin> {
  const commandPackage = await readCommandPackage(root, false);
  await checkNames(deps, commandPackage);
  await addToPluginList(deps, { name: commandPackage.name, type: 'link', root });
  return toCommandPlugin(commandPackage, 'link', root);
}

/** Removes a plugin; the folder of a linked one stays. Throws SvcError `not-found`. */
export async function uninstallCommandPlugin(
  deps: CommandPluginsDeps,
  name: string,
): Promise<void> {
  const plugins = await readPluginList(deps.dir);
  const listedPlugin = plugins.find((plugin) => plugin.name === name);
  if (listedPlugin === undefined)
    throw new SvcError(
      'not-found',
      `No command package ${name} is installed. svc plugins lists the installed ones.`,
    );
  await writePluginList(
    deps.dir,
    plugins.filter((plugin) => plugin !== listedPlugin),
    deps.ids,
  );
  // A link may have replaced an installed plugin with this name.
  await rm(toPluginRoot(deps.dir, { name, type: 'user' }), { recursive: true, force: true });
}

const ignoreMissingFile = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'ENOENT') throw error;
};
