import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../src/config/configSchema.ts';
import { HIDDEN } from '../../src/config/secrets.ts';
import { METRICS_OF, BUDGET_SCOPES } from '../../src/domain/budgetScopes.ts';
import type { ConfigPatch } from '../../src/schema/config.ts';
import { mergedPatch, patchFor } from '../input/configChange.ts';

/** One value that `svc init` writes. */
export interface Chosen {
  path: readonly string[];
  /** null = the key is taken out. */
  value: string | number | boolean | null;
  secret: boolean;
  /** The environment variable that held it; null = it was given, or is a default. */
  from: string | null;
}

/** A value as it is where nothing more is to be said of it. */
export const chosen = (path: readonly string[], value: Chosen['value']): Chosen => ({
  path,
  value,
  secret: false,
  from: null,
});

/** Caps on dollars of a new configuration, and what caps are multiplied by for headless jobs. */
export const STARTER_BUDGETS = {
  job: { usd: 10 },
  campaign: { usd: 50 },
  day: { usd: 50 },
  headlessFactor: 0.5,
} as const;

/** The caps that a new configuration gets; none where a person has set one. */
export function starterBudgets(budgets: Config['budgets']): Chosen[] {
  const hasCap = BUDGET_SCOPES.some((scope) =>
    METRICS_OF[scope].some((metric) => Object.hasOwn(budgets[scope], metric)),
  );
  if (hasCap) return [];
  const { job, campaign, day, headlessFactor } = STARTER_BUDGETS;
  return [
    chosen(['budgets', 'job', 'usd'], job.usd),
    chosen(['budgets', 'campaign', 'usd'], campaign.usd),
    chosen(['budgets', 'day', 'usd'], day.usd),
    chosen(['budgets', 'headlessFactor'], headlessFactor),
  ];
}

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
  /** The environment variable that held it. */
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
