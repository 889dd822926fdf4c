import { applyScheduleLabels } from './applyScheduleLabels.ts';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseShortDuration } from '../../../base/time/parseShortDuration.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import type { Settings } from '../../../contract/schema/runner/settings.ts';
import { fillConfigDefaults } from '../mistakes/checkConfig.ts';
import { readConfigText } from '../file/configFile.ts';
import type { Config } from '../configSchema.ts';
import { resolveTenantOverlay } from './overlay.ts';
import { resolveUserPath } from '../home/paths.ts';
import { collectConfigWarnings } from '../mistakes/configWarnings.ts';
import { resolveDecisionSettings } from './resolveDecisionSettings.ts';
import {
  resolveConfigPlace,
  buildDefaultFolders,
  type SettingsSources,
} from '../home/resolveConfigPlace.ts';
import { collectConfigSecrets, type ReadConfig, readConfigFileText } from '../file/readConfig.ts';

/**
 * Consecutive blocks of the completion gate that fail a job, where COMPLETION_GATE_MAX_RETRIES is
 * not set.
 */
export const DEFAULT_GATE_BLOCKS = 5;

export interface LoadedSettings {
  settings: Settings;
  warnings: string[];
  /** What the file says, defaults filled in. Holds secrets. */
  config: Config;
  /** What must never be seen in logs, journal or output. */
  secrets: string[];
}

const versions = new Map<string, string>();

/**
 * Read once: settings are loaded again at every change and for every job, and a program that runs
 * stays the version that was started when its files are replaced.
 */
function readPackageVersion(packageRoot: string): string {
  const knownVersion = versions.get(packageRoot);
  if (knownVersion !== undefined) return knownVersion;
  const manifest: unknown = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest
      ? String(manifest.version)
      : 'unknown';
  versions.set(packageRoot, version);
  return version;
}

const deriveTenantId = (hostName: string): string => {
  const host = hostName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `solo-${host || 'host'}`;
};

async function readConfigSource(
  file: string,
  { flags }: SettingsSources,
): Promise<ReadConfig | null> {
  const raw = await readConfigText(file);
  if (raw !== null) return readConfigFileText(file, raw, flags.host);
  if (flags.config === undefined) return null;
  throw new SvcError(
    'config-invalid',
    `The configuration file ${file} does not exist. Create it, or omit --config.`,
  );
}

/**
 * Only both together: a runner that can reach a control plane but not prove who it is works alone.
 */
const deriveRunnerMode = ({ cloud }: Config): Settings['mode'] =>
  cloud.url && cloud.token ? 'hybrid' : 'local';

/**
 * Joins flags, environment, config file and defaults, in this order of precedence, into the
 * settings of a runner. Reads only; the config file is never changed. Throws SvcError
 * `config-invalid` with every mistake of the file at once (`errors[].pointer` is
 * `<file>:<line>:<column>`), or `bad-argument` for an environment variable.
 */
export async function loadSettings(sources: SettingsSources): Promise<LoadedSettings> {
  const { file, environment } = resolveConfigPlace(sources);
  const read = await readConfigSource(file, sources);
  const config = read?.config ?? fillConfigDefaults({});
  const { settings, warnings } = resolveSettings(config, sources);
  return {
    settings,
    warnings: [...(read?.warnings ?? []), ...warnings],
    config,
    secrets: [...environment.secrets, ...collectConfigSecrets(config)],
  };
}

/** The settings that a checked config means, and what a person should know about it. */
export function resolveSettings(
  config: Config,
  sources: SettingsSources,
): Pick<LoadedSettings, 'settings' | 'warnings'> {
  const { homeDir, flags, packageRoot } = sources;
  const { home, file, environment, hostName } = resolveConfigPlace(sources);
  const resolved = (path: string): string => resolveUserPath(path, dirname(file), homeDir);
  const warnings: string[] = [];

  const { defaultProvider } = config.llm;
  const fallback = { provider: defaultProvider, model: 'default' };
  const aliases = Object.entries(config.llm.aliases).map(
    ([name, alias]) => [name, { provider: defaultProvider, ...alias }] as const,
  );

  const repos = Object.entries(config.forges.local.repos).map(([slug, entry]) => {
    const repo = typeof entry === 'string' ? { path: entry } : entry;
    const path = resolved(repo.path);
    if (!existsSync(path))
      warnings.push(`forges.local.repos.${slug}: the folder ${path} does not exist`);
    return [slug, { path, defaultBranch: repo.defaultBranch ?? null }] as const;
  });
  const overlay = resolveTenantOverlay(config);
  const folders = buildDefaultFolders(home);

  const settings: Settings = {
    home,
    configFile: file,
    version: readPackageVersion(packageRoot),
    mode: deriveRunnerMode(config),
    paths: {
      workingDir:
        config.paths.workingDir === undefined
          ? folders.workingDir
          : resolved(config.paths.workingDir),
      stateDb: join(home, 'state.db'),
      tokenFile: join(home, 'runner.token'),
      blobs: join(home, 'blobs'),
      intelligenceDir:
        config.intelligence.dir === undefined
          ? folders.intelligenceDir
          : resolved(config.intelligence.dir),
    },
    baseIntelligence: join(packageRoot, 'intelligence'),
    tenant: {
      id: deriveTenantId(hostName),
      displayName: config.tenant.displayName ?? hostName,
      overlay:
        overlay.kind === 'localDir' ? { kind: 'localDir', path: resolved(overlay.path) } : overlay,
    },
    cloud: {
      url: config.cloud.url ?? '',
      token: config.cloud.token ?? '',
      name: config.cloud.name ?? (hostName === '' ? 'runner' : hostName.slice(0, 100)),
      labels: config.cloud.labels,
      accept: config.cloud.accept ?? null,
      lostWork: config.cloud.lostWork,
      wipRef: config.cloud.wipRef,
      adoptSlots: config.cloud.adoptSlots,
    },
    coordination: { maxParallelSubRuns: config.settings.coordination.maxParallelSubRuns ?? null },
    // A copy: a running runner takes changes up in it, and compares the file with the config that
    // it was started with.
    plugins: { ...config.plugins.installed },
    triggers: config.triggers,
    schedules: applyScheduleLabels(config.schedules, config.cloud.labels),
    checkout: toCheckoutSettings(config.checkout, resolved),
    notifications: config.notifications,
    traces: config.traces,
    llm: {
      defaultProvider,
      aliases: { planning: fallback, coding: fallback, ...Object.fromEntries(aliases) },
    },
    runner: { ...config.runner, gateBlocks: environment.gateBlocks ?? DEFAULT_GATE_BLOCKS },
    server: {
      host: flags.host ?? config.server.host,
      port: flags.port ?? config.server.port,
      auth: config.server.auth,
    },
    forges: { local: { repos: Object.fromEntries(repos) } },
    coachMode: { enabled: config.coachMode.enabled },
    intake: { toolsEnabled: config.intake.toolsEnabled },
    retention: toRetentionSettings(config.retention),
    backup: toBackupSettings(config.backup, resolved),
    noProgress: toNoProgressSettings(config.noProgress),
    invariants: config.invariants,
    budgets: toBudgetSettings(config.budgets),
    guardrails: { ...config.guardrails },
    proposals: { ...config.proposals },
    decision: resolveDecisionSettings(config.decision, environment.decision),
    mcp: {
      servers: config.mcpServers,
      inheritClaude: config.inheritClaudeCodeMcps,
      claudeFile: join(homeDir, '.claude.json'),
    },
  };
  return { settings, warnings: [...warnings, ...collectConfigWarnings(config, settings)] };
}

const toNoProgressSettings = ({ session, starts, ...laps }: Config['noProgress']) => ({
  laps,
  starts,
  session,
});

const toRetentionSettings = ({ every, ...rules }: Config['retention']): Settings['retention'] => ({
  ...rules,
  everyMs: every === null ? null : parseShortDuration(every),
});

const toCheckoutSettings = (
  { ports, repositories }: Config['checkout'],
  resolve: (path: string) => string,
): NonNullable<Settings['checkout']> => ({
  ports,
  repositories: repositories.map(({ copyFrom, ...rule }) => ({
    ...rule,
    ...(copyFrom === undefined ? {} : { copyFrom: resolve(copyFrom) }),
  })),
});

const toBackupSettings = (
  { every, folder, copies, work }: Config['backup'],
  resolve: (path: string) => string,
): Settings['backup'] => ({
  everyMs: every === null ? null : parseShortDuration(every),
  folder: folder === null ? null : resolve(folder),
  copies,
  work,
});

/** Scopes without a cap are left out. */
const toBudgetSettings = ({ prices, headlessFactor, unpriced, ...scopes }: Config['budgets']) => ({
  prices,
  headlessFactor,
  unpriced,
  caps: Object.fromEntries(
    Object.entries(scopes).filter(([, caps]) => Object.keys(caps).length > 0),
  ),
});
