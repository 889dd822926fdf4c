import type { Env } from '../../../src/host/config/home/env.ts';
import { BUILT_IN_MANIFESTS } from '../../../src/plugins/builtInCatalogue.ts';

export interface RunSources {
  /** File of `--config`; null = none was given. */
  file: string | null;
  inFile: Record<string, unknown>;
  given: Record<string, unknown>;
  env: Env;
}

const NAMED = /plugins\.installed\.([\w-]+)\.config\.(\w+)/g;

const valueAt = (config: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, key) => (Object.hasOwn(Object(at), key) ? Object(at)[key] : undefined),
    config,
  );

function sourceOf(id: string, setting: string, { file, inFile, given, env }: RunSources): string {
  const path = ['plugins', 'installed', id, 'config', setting];
  const value = valueAt(given, path);
  if (value !== undefined)
    return value === valueAt(inFile, path)
      ? `is set in ${file}`
      : setting === 'apiKey'
        ? 'comes from --api-key or the environment'
        : 'comes from the flags of this run';
  const variable = BUILT_IN_MANIFESTS.find((one) => one.id === id)?.settings?.[setting]?.env;
  if (variable === undefined) return 'is not set; set it in the file of --config';
  return env[variable]?.trim()
    ? `comes from ${variable} in the environment`
    : `is not set; set ${variable} in the environment, or set it in the file of --config`;
}

/**
 * Where the settings that a reason names come from in this run, a line each: a home of a run is
 * temporary, so `svc config set` changes none of them. Empty where it names none.
 */
export function describeSources(reason: string, sources: RunSources): string {
  const lines = [...reason.matchAll(NAMED)].map(
    ([key, id = '', setting = '']) => `${key} ${sourceOf(id, setting, sources)}.\n`,
  );
  return [...new Set(lines)].join('');
}
