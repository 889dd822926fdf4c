import { isDeepStrictEqual } from 'node:util';
import { schemaAt } from '../../src/config/schemaAt.ts';
import { shown } from '../../src/config/secrets.ts';
import { SvcError } from '../../src/lib/errors.ts';
import type { ConfigPatch } from '../../src/schema/config.ts';

/** Keys that lead to a value: joined by dots, or a JSON pointer for names that hold dots. */
export const keyPath = (key: string): string[] =>
  key.startsWith('/')
    ? key
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    : key.split('.');

/**
 * The value that a text means at this place: where texts are kept, the text itself; elsewhere JSON.
 */
function valueFrom(text: string, path: readonly string[]): unknown {
  const schema = schemaAt(path);
  const kind = schema !== null && schema !== undefined && 'type' in schema ? schema.type : null;
  const choices = schema !== null && schema !== undefined && 'enum' in schema;
  if (kind === 'string' || choices) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A merge patch that touches one place alone. */
const patchFor = (path: readonly string[], value: unknown): ConfigPatch => {
  const [first = '', ...rest] = path;
  return { [first]: rest.length === 0 ? value : patchFor(rest, value) };
};

/**
 * The setting of a plugin that is part of svc; undefined for every other place. Installed ones are
 * the runner's to know.
 */
async function builtInSetting([plugins, installed, id, config, name, ...rest]: readonly string[]) {
  if (plugins !== 'plugins' || installed !== 'installed' || config !== 'config' || rest.length > 0)
    return undefined;
  const { BUILT_IN_MANIFESTS } = await import('../../src/plugins/builtInCatalogue.ts');
  return BUILT_IN_MANIFESTS.find((manifest) => manifest.id === id)?.settings?.[name ?? ''];
}

/** Of two patches that touch different places; where both touch one, the second counts. */
export function mergedPatch(first: ConfigPatch, second: ConfigPatch): ConfigPatch {
  const merged = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const before = merged[key];
    merged[key] = isMap(before) && isMap(value) ? mergedPatch(before, value) : value;
  }
  return merged;
}

const isMap = (value: unknown): value is ConfigPatch =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The change that `svc config set` requests; without a text the key is removed. `typed`: the text
 * was given on the command line, where every process of the machine can read it. Throws SvcError
 * `bad-argument` for a secret given there.
 */
export async function configPatch(
  key: string,
  text: string | null,
  typed: boolean,
): Promise<ConfigPatch> {
  const path = keyPath(key);
  if (text === null) return patchFor(path, null);
  const setting = await builtInSetting(path);
  if (setting && !setting.secret)
    return patchFor(path, setting.type === 'string' ? text : valueFrom(text, path));
  const schema = schemaAt(path);
  // A plugin's setting from standard input is taken as it is: a token may look like a number.
  const value =
    schema === null || (schema !== undefined && 'secret' in schema && !typed)
      ? text
      : valueFrom(text, path);
  if (typed && !isDeepStrictEqual(shown(value, schema, path.at(-1)), value)) {
    throw new SvcError(
      'bad-argument',
      `${key} may hold a secret, and other programs can read the command line. Give - and the value on standard input: svc config set ${key} - < file`,
    );
  }
  return patchFor(path, value);
}
