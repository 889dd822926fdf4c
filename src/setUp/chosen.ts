import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../config/configSchema.ts';
import { mergedPatch, patchFor } from '../config/mergePatch.ts';
import { HIDDEN } from '../config/secrets.ts';
import type { ConfigPatch } from '../schema/config.ts';

/** One value that the wizard writes. */
export interface Chosen {
  path: readonly string[];
  /** null = the key is taken out. */
  value: string | number | boolean | readonly string[] | null;
  secret: boolean;
  /** The environment variable or program that held it; null = it was given, or is a default. */
  from: string | null;
}

/** A value as it is where nothing more is to be said of it. */
export const chosen = (path: readonly string[], value: Chosen['value']): Chosen => ({
  path,
  value,
  secret: false,
  from: null,
});

const valueAt = (config: unknown, path: readonly string[]): unknown =>
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
  /** The environment variable or program that held it. */
  from: string | null;
}

/** The values that are not yet so in the configuration. */
export const newValues = (all: readonly Chosen[], config: Config): Chosen[] =>
  all.filter(({ path, value }) => !isDeepStrictEqual(valueAt(config, path) ?? null, value));

/** What writing these values changes in the configuration. */
export const changesTo = (all: readonly Chosen[], config: Config): InitChange[] =>
  all.map(({ path, value, secret, from }) => {
    const shown = (one: unknown): unknown => (secret && one !== null ? HIDDEN : one);
    const before = valueAt(config, path) ?? null;
    return { key: path.join('.'), before: shown(before), value: shown(value), from };
  });

/** All of them as one change of the file. */
export const patchOf = (all: readonly Chosen[]): ConfigPatch =>
  all.reduce<ConfigPatch>(
    (patch, { path, value }) => mergedPatch(patch, patchFor(path, value)),
    {},
  );
