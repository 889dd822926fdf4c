import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { findNodeAtLocation } from 'jsonc-parser';
import { type FieldError, SvcError } from '../lib/errors.ts';
import type { Settings } from '../schema/settings.ts';
import { checkConfig, withDefaults } from './checkConfig.ts';
import type { Config } from './configSchema.ts';
import { type ConfigText, invalidConfig, parseConfigText, readConfigText } from './configText.ts';
import { type Env, readEnvironment } from './env.ts';
import { isLoopback } from './loopback.ts';
import { absolutePath, homeFolder } from './paths.ts';

/** Consecutive blocks of the completion gate that fail a job, where COMPLETION_GATE_MAX_RETRIES is not set. */
const DEFAULT_GATE_BLOCKS = 5;

export interface SettingsSources {
  env: Env;
  /** The person's home folder: what `~` stands for. */
  homeDir: string;
  flags: { config?: string; port?: number; host?: string };
  /** Folder of svc's own package.json. */
  packageRoot: string;
  /** Name of this machine; default: the operating system's. */
  hostName?: string;
}

const versionOf = (packageRoot: string): string => {
  const manifest: unknown = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : 'unknown';
};

/** Mistakes that no schema sees, because two keys or the flags are involved. */
function crossCheck(text: ConfigText, config: Config, host: string): void {
  const errors: FieldError[] = [];
  const report = (path: string[], message: string) => {
    errors.push({ pointer: text.at((findNodeAtLocation(text.root, path) ?? text.root).offset), message });
  };
  const { kind, path } = config.tenant.overlay;
  if (kind === 'gitRemote' || kind === 'cloudBlob') {
    report(
      ['tenant', 'overlay', 'kind'],
      `A "${kind}" overlay cannot be used yet. Clone it and use { "kind": "localDir", "path": "<folder>" }.`,
    );
  } else if (kind === 'localDir' && path === undefined) {
    report(['tenant', 'overlay'], 'tenant.overlay lacks the key "path". Add the folder of the overlay.');
  } else if (kind === 'none' && path !== undefined) {
    report(['tenant', 'overlay', 'path'], 'A path is only used with "kind": "localDir". Add that kind, or take the path out.');
  }
  if (config.server.auth === 'off' && !isLoopback(host)) {
    report(
      ['server', 'auth'],
      `server.auth "off" would open the runner to everybody who reaches ${host}. Use "auto", or listen on 127.0.0.1.`,
    );
  }
  if (errors.length > 0) throw invalidConfig(text.file, errors);
}

async function readConfig(file: string, named: boolean, host: string | undefined): Promise<Config> {
  const raw = await readConfigText(file);
  if (raw === null) {
    if (named) throw new SvcError('config-invalid', `There is no configuration file ${file}. Make it, or leave --config out.`);
    return withDefaults({});
  }
  const text = parseConfigText(file, raw);
  const config = checkConfig(text);
  crossCheck(text, config, host ?? config.server.host);
  return config;
}

/**
 * Joins flags, environment, config file and defaults, in this order of precedence, into the settings of a runner.
 * Reads only; the config file is never changed. Throws SvcError `config-invalid` with every mistake of the file at once
 * (`errors[].pointer` is `<file>:<line>:<column>`), or `bad-argument` for an environment variable.
 */
export async function loadSettings(sources: SettingsSources): Promise<{ settings: Settings; warnings: string[] }> {
  const { env, homeDir, flags, packageRoot, hostName = hostname() } = sources;
  const environment = readEnvironment(env);
  const home = homeFolder(environment.home, homeDir);
  const configFile = flags.config === undefined ? join(home, 'config.json') : absolutePath(flags.config, '.', homeDir);
  const config = await readConfig(configFile, flags.config !== undefined, flags.host);
  const resolved = (path: string): string => absolutePath(path, dirname(configFile), homeDir);
  const warnings: string[] = [];

  const { defaultProvider } = config.llm;
  const fallback = { provider: defaultProvider, model: 'default' };
  const aliases = Object.entries(config.llm.aliases).map(
    ([name, alias]) => [name, { provider: defaultProvider, ...alias }] as const,
  );

  const repos = Object.entries(config.forges.local.repos).map(([slug, entry]) => {
    const repo = typeof entry === 'string' ? { path: entry } : entry;
    const path = resolved(repo.path);
    if (!existsSync(path)) warnings.push(`forges.local.repos.${slug}: there is no folder ${path}`);
    return [slug, { path, defaultBranch: repo.defaultBranch ?? null }] as const;
  });
  if (config.intelligence.gitRemote !== undefined)
    warnings.push('intelligence.gitRemote is not used yet; clone it and name the folder in tenant.overlay');
  const { overlay } = config.tenant;

  const settings: Settings = {
    home,
    configFile,
    version: versionOf(packageRoot),
    paths: {
      workingDir: config.paths.workingDir === undefined ? join(home, 'work') : resolved(config.paths.workingDir),
      stateDb: join(home, 'state.db'),
      tokenFile: join(home, 'runner.token'),
      blobs: join(home, 'blobs'),
      intelligenceDir: config.intelligence.dir === undefined ? join(home, 'intelligence') : resolved(config.intelligence.dir),
    },
    baseIntelligence: join(packageRoot, 'intelligence'),
    tenant: {
      id: `solo-${
        hostName
          .toLowerCase()
          .replace(/[^a-z0-9]+/g, '-')
          .replace(/^-|-$/g, '') || 'host'
      }`,
      displayName: config.tenant.displayName ?? hostName,
      overlay:
        overlay.kind === 'localDir' && overlay.path !== undefined
          ? { kind: 'localDir', path: resolved(overlay.path) }
          : { kind: 'none' },
    },
    llm: { defaultProvider, aliases: { planning: fallback, coding: fallback, ...Object.fromEntries(aliases) } },
    runner: { ...config.runner, gateBlocks: environment.gateBlocks ?? DEFAULT_GATE_BLOCKS },
    server: { host: flags.host ?? config.server.host, port: flags.port ?? config.server.port, auth: config.server.auth },
    forges: { local: { repos: Object.fromEntries(repos) } },
    coachMode: { enabled: config.coachMode.enabled },
  };
  return { settings, warnings };
}
