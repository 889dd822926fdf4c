import { isJsonObject } from '../../base/json/isJsonObject.ts';
import { findNodeAtLocation } from 'jsonc-parser';
import type { ConfigValue } from '../../contract/schema/runner/config.ts';
import type { ReadConfig } from './file/readConfig.ts';
import { findSchemaAt } from './findSchemaAt.ts';
import { hideSecrets } from './secrets.ts';

export interface OriginSources {
  /** null = there is no file. */
  read: ReadConfig | null;
  view: Readonly<Record<string, unknown>>;
  /** Values of flags by key, with the flag's name. They win over the file. */
  flags: Readonly<Record<string, { value: unknown; flag: string }>>;
  /** Values of the environment by key. A value in the file wins, unless it is an empty text. */
  environment: Readonly<Record<string, { value: unknown; variable: string }>>;
  /** Defaults that are not constants. */
  derived: Readonly<Record<string, unknown>>;
}

/** Every value that is not an object, and the empty objects, with the keys that lead there. */
export function flattenLeaves(value: unknown, path: string[] = []): [string[], unknown][] {
  if (!isJsonObject(value) || (Object.keys(value).length === 0 && path.length > 0))
    return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => flattenLeaves(inner, [...path, key]));
}

/** Place in the file that a value was read from; null = it is not in there. */
function findValuePlace(read: ReadConfig | null, path: readonly string[]): string | null {
  if (read === null) return null;
  const { text, conversions } = read;
  const direct = findNodeAtLocation(text.root, [...path]);
  if (direct !== undefined) return text.formatPlace(direct.offset);
  const [, , plugin, part, name] = path;
  const conversion = conversions.find((one) => path[0] === 'plugins' && one.plugin === plugin);
  if (conversion === undefined) return null;
  const node = findNodeAtLocation(
    text.root,
    part === 'config'
      ? [...(conversion.from[name ?? ''] ?? [conversion.block])]
      : [conversion.block],
  );
  return node === undefined ? null : text.formatPlace(node.offset);
}

/** Every value that applies, by key, secrets hidden, and where it comes from. */
export function listConfigValues({
  read,
  view,
  flags,
  environment,
  derived,
}: OriginSources): ConfigValue[] {
  const values = new Map<string, ConfigValue>();
  const add = (key: string, value: unknown, origin: ConfigValue['origin'], from: string | null) => {
    const path = key.split('.');
    values.set(key, { key, value: hideSecrets(value, findSchemaAt(path), path), origin, from });
  };
  for (const [key, value] of Object.entries(derived)) add(key, value, 'default', null);
  for (const [key, { value, variable }] of Object.entries(environment))
    add(key, value, 'environment', variable);
  for (const [path, value] of flattenLeaves(view)) {
    const key = path.join('.');
    const from = findValuePlace(read, path);
    if (from === null && values.has(key)) continue;
    if (value === '' && values.has(key)) continue;
    values.set(key, { key, value, origin: from === null ? 'default' : 'file', from });
  }
  for (const [key, { value, flag }] of Object.entries(flags)) add(key, value, 'flag', flag);
  return [...values.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}
