import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toCommandsDir, readPluginList } from '../../src/plugins/commands/pluginList.ts';

export interface KnownFlag {
  name: string;
  char?: string;
  type: 'boolean' | 'option';
  description?: string;
  multiple?: boolean;
  allowNo?: boolean;
  hidden?: boolean;
  options?: readonly string[];
}

export interface KnownCommand {
  id: string;
  summary?: string;
  hidden?: boolean;
  aliases?: readonly string[];
  args: Readonly<Record<string, { name: string; options?: readonly string[] }>>;
  flags: Readonly<Record<string, KnownFlag>>;
}

/** Commands of a manifest by their words; nothing where it cannot be read. */
async function readCommandsOfManifest(
  dir: string,
): Promise<[words: string, command: KnownCommand][]> {
  try {
    const { commands } = JSON.parse(await readFile(join(dir, 'oclif.manifest.json'), 'utf8'));
    return Object.values<KnownCommand>(commands)
      .filter(({ hidden }) => !hidden)
      .flatMap((command) =>
        [command.id, ...(command.aliases ?? [])].map((id): [string, KnownCommand] => [
          id.replaceAll(':', ' '),
          command,
        ]),
      );
  } catch {
    return [];
  }
}

/** Every command of svc and of the packages that add commands to it, by its words. */
export async function readKnownCommands(
  root: string,
  home: string,
): Promise<Map<string, KnownCommand>> {
  const dir = toCommandsDir(home);
  const plugins = await readPluginList(dir).catch(() => []);
  const roots = plugins.map((plugin) =>
    plugin.type === 'link' ? plugin.root : join(dir, 'node_modules', plugin.name),
  );
  const lists = await Promise.all([...roots, root].map(readCommandsOfManifest));
  return new Map(lists.flat());
}
