import { isMissingFile } from '../../base/errors/findErrorCode.ts';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import type { Ids } from '../../base/system/ids/ids.ts';
import { writePrivateFile } from '../../base/system/files/writePrivateFile.ts';

/** A plugin as oclif finds it: in `node_modules` of its data folder, or behind a link. */
export type ListedPlugin =
  | { name: string; type: 'user' }
  | { name: string; type: 'link'; root: string };

/** oclif's data folder in the home. */
export const toCommandsDir = (home: string): string => join(home, 'commands');

/** A valid npm name; it also names a folder, so it must not lead anywhere else. */
export const isPackageName = (name: unknown): name is string =>
  typeof name === 'string' &&
  name.length <= 214 &&
  /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/.test(name);

const isListedPlugin = (value: unknown): value is ListedPlugin => {
  const { name, type, root } = Object(value);
  return isPackageName(name) && (type === 'user' || (type === 'link' && typeof root === 'string'));
};

const toPluginListPath = (dir: string): string => join(dir, 'package.json');

/** Reads the list in oclif's form. Throws SvcError `config-invalid` for an unreadable file. */
export async function readPluginList(dir: string): Promise<ListedPlugin[]> {
  try {
    const { oclif } = Object(JSON.parse(await readFile(toPluginListPath(dir), 'utf8')));
    const { plugins } = Object(oclif);
    return Array.isArray(plugins) ? plugins.filter(isListedPlugin) : [];
  } catch (error) {
    if (isMissingFile(error)) return [];
    const file = toPluginListPath(dir);
    throw new SvcError(
      'config-invalid',
      `The list of plugins ${file} cannot be read (${toErrorMessage(error)}). Remove it and install them again.`,
    );
  }
}

export async function writePluginList(
  dir: string,
  plugins: readonly ListedPlugin[],
  ids: Ids,
): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const list = { private: true, oclif: { schema: 1, plugins } };
  await writePrivateFile(toPluginListPath(dir), `${JSON.stringify(list, null, 2)}\n`, ids.next());
}
