import type { Settings } from '../schema/settings.ts';

/** Whether the settings of a plugin are read again at each use. */
export type IsLivePlugin = (id: string) => boolean;

/** Replaces what a record holds and keeps the record itself, which others have been given. */
function refill(record: object, now: object): void {
  for (const key of Object.keys(record))
    if (!Object.hasOwn(now, key)) Reflect.deleteProperty(record, key);
  Object.assign(record, now);
}

/**
 * Updates those settings of a running runner that are read again at each use: models, repositories
 * on this disk, coach mode, plan-mode chats, the decision layer, own prices, limits of laps without progress, guardrails, the limit of sub-runs, and the settings of the plugins that
 * `isPlugin` names. Everything else keeps its value from the start of the runner.
 */
export function takeUpSettings(settings: Settings, now: Settings, isPlugin: IsLivePlugin): void {
  refill(settings.llm, now.llm);
  refill(settings.coachMode, now.coachMode);
  refill(settings.intake, now.intake);
  refill(settings.decision, now.decision);
  refill(settings.noProgress, now.noProgress);
  refill(settings.budgets, now.budgets);
  refill(settings.guardrails, now.guardrails);
  refill(settings.coordination, now.coordination);
  refill(settings.forges.local.repos, now.forges.local.repos);
  const others = Object.entries(settings.plugins).filter(([id]) => !isPlugin(id));
  const live = Object.entries(now.plugins).filter(([id]) => isPlugin(id));
  refill(settings.plugins, Object.fromEntries([...others, ...live]));
}

/** Keys, joined by dots, that apply without a restart, with all below them. */
export const LIVE_KEYS: readonly string[] = [
  'llm',
  'coachMode',
  'intake',
  'decision',
  'noProgress',
  'budgets',
  'guardrails',
  'settings.coordination',
  'forges.local.repos',
];

/**
 * Whether a key of the configuration, joined by dots, is one that {@link takeUpSettings} takes up.
 */
export const isLive = (key: string, isPlugin: IsLivePlugin): boolean =>
  // The map itself is a key of its own only while it is empty.
  key === 'plugins.installed' ||
  isPlugin(/^plugins\.installed\.([^.]+)/.exec(key)?.[1] ?? '') ||
  LIVE_KEYS.some((live) => key === live || key.startsWith(`${live}.`));

/** What the runner reads only to show it, or keeps itself. */
export const NEEDS_NO_RESTART: readonly string[] = [
  'setup',
  '$schema',
  ...['graduateAfterRuns', 'totalRuns', 'lastRunAt', 'graduatedAt'].map(
    (key) => `coachMode.${key}`,
  ),
];
/** Whether a change of a key counts from the next start on; `isLivePlugin` null: no plugin is taken up. */
export const needsRestart = (key: string, isLivePlugin: IsLivePlugin | null): boolean =>
  !NEEDS_NO_RESTART.some((known) => key === known || key.startsWith(`${known}.`)) &&
  (isLivePlugin === null || !isLive(key, isLivePlugin));
