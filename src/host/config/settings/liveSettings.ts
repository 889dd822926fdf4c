import type { Settings } from '../../../contract/schema/runner/settings.ts';

/** Replaces what a record holds and keeps the record itself, which others have been given. */
function refill(record: object, now: object): void {
  for (const key of Object.keys(record))
    if (!Object.hasOwn(now, key)) Reflect.deleteProperty(record, key);
  Object.assign(record, now);
}

/** Kinds of overlay that pairing switches between. */
const PAIRED_KINDS: ReadonlySet<string> = new Set(['none', 'cloudBlob']);

/**
 * Updates those settings of a running runner that are read again at each use. Everything else keeps
 * its value from the start of the runner: where it listens, its folders, the overlay of the team.
 */
export function takeUpSettings(settings: Settings, now: Settings): void {
  settings.mode = now.mode;
  refill(settings.cloud, now.cloud);
  refill(settings.llm, now.llm);
  refill(settings.coachMode, now.coachMode);
  refill(settings.intake, now.intake);
  refill(settings.decision, now.decision);
  refill(settings.noProgress, now.noProgress);
  refill(settings.retention, now.retention);
  refill(settings.backup, now.backup);
  refill(settings.budgets, now.budgets);
  refill(settings.guardrails, now.guardrails);
  refill(settings.coordination, now.coordination);
  refill(settings.proposals, now.proposals);
  refill(settings.runner, now.runner);
  refill(settings.mcp, now.mcp);
  refill(settings.forges.local.repos, now.forges.local.repos);
  refill(settings.plugins, now.plugins);
  // A machine that is paired gets the overlay of its team, and gives it back when it leaves.
  if ([settings, now].every(({ tenant }) => PAIRED_KINDS.has(tenant.overlay.kind)))
    settings.tenant.overlay = now.tenant.overlay;
  settings.triggers = now.triggers ?? [];
  settings.schedules = now.schedules ?? [];
  if (now.checkout !== undefined) settings.checkout = now.checkout;
  if (now.notifications !== undefined) settings.notifications = now.notifications;
  if (now.traces !== undefined) settings.traces = now.traces;
  settings.invariants = now.invariants;
}

/** Keys, joined by dots, that apply without a restart, with all below them. */
export const LIVE_KEYS: readonly string[] = [
  'cloud',
  'llm',
  'coachMode',
  'intake',
  'decision',
  'noProgress',
  'retention',
  'backup',
  'budgets',
  'guardrails',
  'settings.coordination',
  'proposals',
  'runner',
  'mcpServers',
  'inheritClaudeCodeMcps',
  'forges.local.repos',
  'plugins.installed',
  'triggers',
  'schedules',
  'checkout',
  'notifications',
  'traces',
  'invariants',
  // Older forms of plugins.installed.
  'git',
  'tracker',
];

/**
 * Whether a key of the configuration, joined by dots, is one that {@link takeUpSettings} applies.
 */
export const isLive = (key: string): boolean =>
  LIVE_KEYS.some((live) => key === live || key.startsWith(`${live}.`));

/** What the runner reads only to show it, or keeps itself. */
export const NEEDS_NO_RESTART: readonly string[] = [
  'setup',
  '$schema',
  ...['graduateAfterRuns', 'totalRuns', 'lastRunAt', 'graduatedAt'].map(
    (key) => `coachMode.${key}`,
  ),
];
/** Whether a change of a key counts from the next start on; `hasRunner` false: no runner takes it up. */
export const needsRunnerRestart = (key: string, hasRunner: boolean): boolean =>
  !NEEDS_NO_RESTART.some((liveKey) => key === liveKey || key.startsWith(`${liveKey}.`)) &&
  !(hasRunner && isLive(key));
