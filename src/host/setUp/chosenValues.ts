import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../config/configSchema.ts';
import { combinePatches, buildMergePatch } from '../config/file/mergePatch.ts';
import { HIDDEN } from '../config/secrets.ts';
import type { ConfigPatch } from '../../contract/schema/runner/config.ts';

export interface ChosenValue {
  path: readonly string[];
  /** null = the key is taken out. */
  value: string | number | boolean | readonly string[] | null;
  secret: boolean;
  /** The environment variable or program that held it; null = it was given, or is a default. */
  from: string | null;
}

export const toChosenValue = (
  path: readonly string[],
  value: ChosenValue['value'],
): ChosenValue => ({
  path,
  value,
  secret: false,
  from: null,
});

const readValueAt = (config: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, key) => (Object.hasOwn(Object(at), key) ? Object(at)[key] : undefined),
    config,
  );

/** What writing a value changes; secrets are hidden. */
export interface InitChange {
  /** Keys joined by dots. */
  key: string;
  /** null = it had no value. */
  before: unknown;
  /** null = it is taken out. */
  value: unknown;
  from: string | null;
}

export const listNewValues = (all: readonly ChosenValue[], config: Config): ChosenValue[] =>
  all.filter(({ path, value }) => !isDeepStrictEqual(readValueAt(config, path) ?? null, value));

export const describeInitChanges = (all: readonly ChosenValue[], config: Config): InitChange[] =>
  all.map(({ path, value, secret, from }) => {
    const hideSecret = (one: unknown): unknown => (secret && one !== null ? HIDDEN : one);
    const before = readValueAt(config, path) ?? null;
    return { key: path.join('.'), before: hideSecret(before), value: hideSecret(value), from };
  });

export const buildChosenPatch = (all: readonly ChosenValue[]): ConfigPatch =>
  all.reduce<ConfigPatch>(
    (patch, { path, value }) => combinePatches(patch, buildMergePatch(path, value)),
    {},
  );
