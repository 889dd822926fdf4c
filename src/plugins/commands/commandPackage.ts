import { isJsonObject } from '../../base/json/isJsonObject.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import { isPackageName } from './pluginList.ts';

/** Largest package.json or oclif.manifest.json that is read, bytes. */
const MAX_JSON_BYTES = 4 * 1024 * 1024;

/**
 * A package with commands, as its package.json and oclif.manifest.json describe it; none of its
 * code was run.
 */
export interface CommandPackage {
  name: string;
  version: string;
  /** Commands and aliases, words separated by a space. Empty without a manifest. */
  commands: string[];
  isRunnerPlugin: boolean;
  needsNpm: boolean;
}

/** Command ids and flag names are written into shell completion scripts. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9:_-]{0,99}$/;

/** Names that could be mistaken for svc in lists and messages. */
const OUR_NAMES = ['svc', '@svc/runner'];

const createInvalidPackageError = (what: string, cause?: unknown): SvcError =>
  new SvcError('invalid', `The package cannot add commands: ${what}`, { cause });

async function readPackageFile(dir: string, file: string): Promise<Record<string, unknown> | null> {
  const text = await readFile(join(dir, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw createInvalidPackageError(`${file} cannot be read: ${toErrorMessage(error)}.`, error);
  });
  if (text === null) return null;
  if (text.length > MAX_JSON_BYTES)
    throw createInvalidPackageError(`${file} is larger than ${MAX_JSON_BYTES} bytes.`);
  try {
    const json: unknown = JSON.parse(text);
    if (isJsonObject(json)) return json;
  } catch (error) {
    throw createInvalidPackageError(`${file} is not JSON: ${toErrorMessage(error)}.`);
  }
  throw createInvalidPackageError(`${file} is not an object.`);
}

const listStrings = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : [];

/**
 * Commands and aliases of one manifest entry. Throws for names with other characters than {@link
 * PLAIN}.
 */
function listTypedNames(id: string, entry: unknown): string[] {
  if (!isJsonObject(entry))
    throw createInvalidPackageError(
      `oclif.manifest.json: the command ${JSON.stringify(id)} is not described.`,
    );
  const typedNames = [id, ...listStrings(entry.aliases), ...listStrings(entry.hiddenAliases)];
  for (const name of [...typedNames, ...Object.keys(Object(entry.flags))])
    if (!PLAIN.test(name))
      throw createInvalidPackageError(
        `oclif.manifest.json contains the name ${JSON.stringify(name.slice(0, 100))}, which is not plain.`,
      );
  // Completion for zsh puts descriptions of commands and flags between double quotes.
  if (JSON.stringify(entry).includes('$('))
    throw createInvalidPackageError(
      `oclif.manifest.json: the command ${id} contains "$(", which shell completion would run.`,
    );
  return typedNames.map((one) => one.replaceAll(':', ' '));
}

/** The commands of its manifest; null without one. */
async function readManifestCommands(dir: string, version: string): Promise<string[] | null> {
  const manifest =
    (await readPackageFile(dir, 'oclif.manifest.json')) ??
    (await readPackageFile(dir, '.oclif.manifest.json'));
  if (manifest === null) return null;
  if (manifest.version !== version)
    throw createInvalidPackageError(
      `oclif.manifest.json is for version ${JSON.stringify(manifest.version)}, but the package has ${version}.`,
    );
  return Object.entries(Object(manifest.commands))
    .flatMap(([id, entry]) => listTypedNames(id, entry))
    .sort();
}

/**
 * Reads a package with commands. Throws SvcError `invalid` with the reason; for a plugin of the
 * runner it names the right install command. `needsManifest`: refuses a package without
 * oclif.manifest.json, whose commands are known only by running it.
 */
export async function readCommandPackage(
  dir: string,
  needsManifest: boolean,
): Promise<CommandPackage> {
  const json = await readPackageFile(dir, 'package.json');
  if (json === null) throw createInvalidPackageError('it has no package.json.');
  const { name, version, oclif, svc, dependencies } = json;
  if (!isJsonObject(oclif)) {
    if (svc !== undefined)
      throw new SvcError(
        'invalid',
        'The package is a plugin of the runner and adds no commands. Use: svc plugin install',
      );
    throw createInvalidPackageError(
      'package.json has no member "oclif". How one is written: https://oclif.io/docs/plugins.',
    );
  }
  if (!isPackageName(name)) throw createInvalidPackageError('it has no name that npm accepts.');
  if (OUR_NAMES.includes(name))
    throw createInvalidPackageError(`${name} is the name of svc itself.`);
  if (typeof version !== 'string') throw createInvalidPackageError('it has no version.');
  if (listStrings(oclif.plugins).length > 0)
    throw createInvalidPackageError(
      `it brings further plugins (${listStrings(oclif.plugins).join(', ')}). Install each one separately.`,
    );
  const commands = await readManifestCommands(dir, version);
  if (commands === null && needsManifest)
    throw createInvalidPackageError(
      'it has no oclif.manifest.json, from which its commands are known without running it. Make one in its folder: npx oclif manifest. Or try it with: svc plugins link',
    );
  return {
    name,
    version,
    commands: commands ?? [],
    isRunnerPlugin: svc !== undefined,
    needsNpm: Object.keys(Object(dependencies)).length > 0,
  };
}
