import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { Plugin } from '@oclif/core';
import { bundleCommands } from './bundle.ts';

export const MANIFEST_FILE = 'oclif.manifest.json';

/**
 * What oclif reads of a command's entry. It writes every static member of the class as well,
 * whatever that is: one that holds the world around the command would put this machine's
 * environment, secrets included, into a published file.
 */
export const COMMAND_MEMBERS: readonly string[] = [
  'aliases',
  'args',
  'deprecateAliases',
  'deprecationOptions',
  'description',
  'enableJsonFlag',
  'examples',
  'flags',
  'hasDynamicHelp',
  'hidden',
  'hiddenAliases',
  'id',
  'isESM',
  'pluginAlias',
  'pluginName',
  'pluginType',
  'relativePath',
  'state',
  'strict',
  'summary',
  'usage',
];

const keepKnownMembers = (entry: object) =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => COMMAND_MEMBERS.includes(name)));

/** Below node_modules, so that the commands find their packages. */
const WORKSHOP = 'node_modules/.cache/svc/manifest';

/**
 * The manifest of the commands as they are in the sources, as text. They are built aside: neither a
 * stale dist/ nor the lack of one changes the answer.
 */
export async function manifestText(): Promise<{ text: string; commands: number }> {
  rmSync(WORKSHOP, { recursive: true, force: true });
  mkdirSync(WORKSHOP, { recursive: true });
  try {
    writeFileSync(`${WORKSHOP}/package.json`, readFileSync('package.json'));
    await bundleCommands(WORKSHOP);
    const plugin = new Plugin({
      root: realpathSync(WORKSHOP),
      type: 'core',
      ignoreManifest: true,
      errorOnManifestCreate: true,
      respectNoCacheDefault: true,
    });
    await plugin.load();
    const { version } = plugin.manifest;
    const commands = Object.entries(plugin.manifest.commands).sort(([a], [b]) => (a < b ? -1 : 1));
    const manifest = {
      commands: Object.fromEntries(commands.map(([id, entry]) => [id, keepKnownMembers(entry)])),
      version,
    };
    return { text: `${JSON.stringify(manifest, null, 2)}\n`, commands: commands.length };
  } finally {
    rmSync(WORKSHOP, { recursive: true, force: true });
  }
}
