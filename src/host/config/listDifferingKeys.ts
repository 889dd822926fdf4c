import { isDeepStrictEqual } from 'node:util';
import type { Config } from './configSchema.ts';
import { flattenLeaves } from './listConfigValues.ts';
import { needsRunnerRestart } from './settings/liveSettings.ts';
/** Keys whose values differ, joined by dots. */
export function listDifferingKeys(before: Config, after: Config): string[] {
  const [old, now] = [before, after].map(
    (config) => new Map(flattenLeaves(config).map(([path, value]) => [path.join('.'), value])),
  );
  const keys = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])]);
  return [...keys].filter((key) => !isDeepStrictEqual(old?.get(key), now?.get(key))).sort();
}

/** Those of them that only a restart applies. */
export const listKeysNeedingRestart = (
  before: Config,
  after: Config,
  hasRunner: boolean,
): string[] => listDifferingKeys(before, after).filter((key) => needsRunnerRestart(key, hasRunner));
