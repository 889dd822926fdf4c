import { isDeepStrictEqual } from 'node:util';
import { parseKeyPath, buildMergePatch } from '../../src/host/config/file/mergePatch.ts';
import { findSchemaAt } from '../../src/host/config/findSchemaAt.ts';
import { hideSecrets } from '../../src/host/config/secrets.ts';
import { suggestClosestName } from '../../src/base/text/findClosestName.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { ConfigPatch } from '../../src/contract/schema/runner/config.ts';
import { findSettingSecrets, SECRET_NAME } from '../../src/base/secrets/likelySecret.ts';
import type { PluginManifest, PluginSetting } from '../../src/contract/schema/runner/plugin.ts';

/**
 * The value that a text means at this place: where texts are kept, the text itself; elsewhere JSON.
 */
function parseConfigValue(text: string, path: readonly string[]): unknown {
  const schema = findSchemaAt(path);
  const kind = schema !== null && schema !== undefined && 'type' in schema ? schema.type : null;
  const choices = schema !== null && schema !== undefined && 'enum' in schema;
  if (kind === 'string' || choices) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Settings of a plugin by its id, as its manifest declares them; null = it is not known. */
export type SettingsOfPlugin = (id: string) => Promise<PluginManifest['settings'] | null>;

interface PluginPlace {
  id: string;
  name: string;
  /** As the manifest declares it; undefined = it declares none. */
  setting: PluginSetting | undefined;
  /** Every setting of the plugin; null = it is not installed. */
  known: readonly string[] | null;
}

/** The setting of a plugin at this place; null for every other place. */
async function findPluginSetting(
  [plugins, installed, id = '', config, name = '', ...rest]: readonly string[],
  readSettings: SettingsOfPlugin,
): Promise<PluginPlace | null> {
  if (plugins !== 'plugins' || installed !== 'installed' || config !== 'config' || name === '')
    return null;
  if (rest.length > 0) return null;
  const { BUILT_IN_MANIFESTS } = await import('../../src/plugins/builtInCatalogue.ts');
  const builtIn = BUILT_IN_MANIFESTS.find((manifest) => manifest.id === id);
  const declaredSettings = builtIn ? builtIn.settings : await readSettings(id);
  if (declaredSettings === null) return { id, name, setting: undefined, known: null };
  const settings = declaredSettings ?? {};
  const setting = Object.hasOwn(settings, name) ? settings[name] : undefined;
  return { id, name, setting, known: Object.keys(settings) };
}

/** Whether a setting of a plugin that is not installed looks like a secret: no manifest says it. */
const looksLikeSecret = (name: string, text: string): boolean =>
  SECRET_NAME.test(name) || findSettingSecrets(name, text).length > 0;

/**
 * Checks a setting that no manifest declares. Throws SvcError `bad-argument` where the plugin has no
 * such setting, and for what looks like a secret on the command line.
 */
function checkUndeclared({ id, name, known }: PluginPlace, key: string, text: string): void {
  if (known !== null) {
    const hint = known.length === 0 ? 'It has no settings.' : suggestClosestName(name, known);
    throw new SvcError('bad-argument', `The plugin ${id} has no setting ${name}. ${hint}`);
  }
  if (!looksLikeSecret(name, text)) return;
  throw new SvcError(
    'bad-argument',
    `${key} looks like a secret: ${id} is not installed, so svc does not know. Other programs can read the command line. ${describeStandardInputUse(key)}`,
  );
}

const describeStandardInputUse = (key: string): string =>
  `Give - and the value on standard input: svc config set ${key} - < file`;

const createCommandLineSecretError = (key: string): SvcError =>
  new SvcError(
    'bad-argument',
    `${key} may hold a secret, and other programs can read the command line. ${describeStandardInputUse(key)}`,
  );

/**
 * The change that `svc config set` requests; without a text the key is removed. `typed`: the text
 * was given on the command line, where every process of the machine can read it. Throws SvcError
 * `bad-argument` for a secret given there, and for a setting that an installed plugin does not have.
 */
export async function buildConfigPatch(
  key: string,
  text: string | null,
  typed: boolean,
  readSettings: SettingsOfPlugin,
): Promise<ConfigPatch> {
  const path = parseKeyPath(key);
  if (text === null) return buildMergePatch(path, null);
  const place = await findPluginSetting(path, readSettings);
  const setting = place?.setting;
  if (setting?.secret && typed) throw createCommandLineSecretError(key);
  if (setting && !setting.secret)
    return buildMergePatch(path, setting.type === 'string' ? text : parseConfigValue(text, path));
  if (place && !setting && typed) {
    checkUndeclared(place, key, text);
    return buildMergePatch(path, parseConfigValue(text, path));
  }
  const schema = findSchemaAt(path);
  // A plugin's setting from standard input is taken as it is: a token may look like a number.
  const value =
    schema === null || (schema !== undefined && 'secret' in schema && !typed)
      ? text
      : parseConfigValue(text, path);
  if (typed && !isDeepStrictEqual(hideSecrets(value, schema, path), value)) {
    throw createCommandLineSecretError(key);
  }
  return buildMergePatch(path, value);
}
