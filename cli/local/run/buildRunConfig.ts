import { toFields } from '../../../src/base/json/untrusted.ts';
import { dirname } from 'node:path';
import type { Config } from '../../../src/host/config/configSchema.ts';
import { readConfigText } from '../../../src/host/config/file/configFile.ts';
import { toConfigValue, parseConfigText } from '../../../src/host/config/file/configText.ts';
import type { Env } from '../../../src/host/config/home/env.ts';
import { resolveUserPath } from '../../../src/host/config/home/paths.ts';
import { readConfigFileText } from '../../../src/host/config/file/readConfig.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { BUILT_IN_MANIFESTS } from '../../../src/plugins/builtInCatalogue.ts';
import { listForgeSites } from '../../../src/plugins/listForgeSites.ts';
import { listSetUpsHere } from '../../../src/plugins/setUp/agentSetUp.ts';
import type { Settings } from '../../../src/contract/schema/runner/settings.ts';
import type { RunRepository, RunSite } from './resolveRunRepository.ts';

export interface RunConfigSources {
  /** Of `--config`, see {@link readGivenConfig}. */
  given: Record<string, unknown>;
  env: Env;
  home: string;
  repository: RunRepository;
  /** Team layer; null = that of `given`. */
  layer: string | null;
  /** `--agent`; null = that of `given`, else what is found. */
  agent: string | null;
  model: string | null;
}

type ConfigSection = Record<string, unknown>;
type InstalledPlugins = Record<string, { enabled?: boolean; config?: ConfigSection }>;

const toSectionCopy = (value: unknown): ConfigSection => ({ ...toFields(value) });

/** Where a forge is for this pipeline, where no setting names its server. */
const SERVERS: Readonly<Record<string, string>> = {
  github: 'GITHUB_SERVER_URL',
  gitlab: 'CI_SERVER_URL',
};

/** Parts of a configuration that make jobs of their own, or name folders of another home. */
const LEFT_OUT = ['triggers', 'schedules', 'coachMode', 'paths', 'setup'];

/**
 * The file of `--config` with absolute folders, without parts that do not apply to one job; {}
 * without a file. Throws SvcError `config-invalid` with every mistake of the file.
 */
export async function readGivenConfig(
  path: string | undefined,
  homeDir: string,
): Promise<Record<string, unknown>> {
  if (path === undefined) return {};
  const file = resolveUserPath(path, '.', homeDir);
  const raw = await readConfigText(file);
  if (raw === null)
    throw new SvcError('config-invalid', `The configuration file ${file} does not exist.`);
  readConfigFileText(file, raw, undefined);
  const value = toSectionCopy(toConfigValue(parseConfigText(file, raw)));
  for (const name of LEFT_OUT) delete value[name];
  const at = (folder: unknown) => resolveUserPath(String(folder), dirname(file), homeDir);
  const { intelligence, tenant, forges, checkout }: Partial<Config> = value;
  if (intelligence?.dir !== undefined)
    value.intelligence = { ...intelligence, dir: at(intelligence.dir) };
  if (tenant?.overlay?.path !== undefined)
    value.tenant = { ...tenant, overlay: { ...tenant.overlay, path: at(tenant.overlay.path) } };
  const repos = Object.entries(forges?.local?.repos ?? {}).map(([slug, entry]) => [
    slug,
    typeof entry === 'string' ? at(entry) : { ...entry, path: at(entry.path) },
  ]);
  if (checkout?.repositories !== undefined)
    value.checkout = {
      ...checkout,
      repositories: checkout.repositories.map((rule) =>
        rule.copyFrom === undefined ? rule : { ...rule, copyFrom: at(rule.copyFrom) },
      ),
    };
  if (repos.length > 0) value.forges = { ...forges, local: { repos: Object.fromEntries(repos) } };
  return value;
}

const readInstalledPlugins = (configSection: ConfigSection): InstalledPlugins =>
  toSectionCopy(toSectionCopy(configSection.plugins).installed) as InstalledPlugins;

/** The setting of a plugin that a variable of the environment holds; null = it holds none. */
function findEnvironmentSetting(id: string, env: Env): [setting: string, value: string] | null {
  const { settings = {} } = BUILT_IN_MANIFESTS.find((one) => one.id === id) ?? {};
  for (const [setting, { env: variable }] of Object.entries(settings)) {
    const value = variable === undefined ? '' : (env[variable]?.trim() ?? '');
    if (value !== '') return [setting, value];
  }
  return null;
}

/** A forge with the token and the server of the environment, where it has no settings. */
function addForgeToken(installedPlugins: InstalledPlugins, id: string, env: Env): InstalledPlugins {
  const own = installedPlugins[id];
  if (own?.enabled === false || Object.keys(own?.config ?? {}).length > 0) return installedPlugins;
  const setting = findEnvironmentSetting(id, env);
  if (setting === null) return installedPlugins;
  const server = env[SERVERS[id] ?? '']?.trim() ?? '';
  const config = { [setting[0]]: setting[1], ...(server === '' ? {} : { baseUrl: server }) };
  return { ...installedPlugins, [id]: { ...own, config } };
}

/**
 * An executor with the key of the environment, where it has none. One that asks another server gets
 * no key that is not meant for it.
 */
function addExecutorKey(
  installedPlugins: InstalledPlugins,
  id: string,
  env: Env,
): InstalledPlugins {
  const { [id]: own } = installedPlugins;
  const setting = findEnvironmentSetting(id, env);
  if (own?.enabled === false || setting === null) return installedPlugins;
  const { config = {} } = own ?? {};
  if (config[setting[0]] !== undefined || config.baseUrl !== undefined) return installedPlugins;
  return { ...installedPlugins, [id]: { ...own, config: { ...config, [setting[0]]: setting[1] } } };
}

const forgeIds = BUILT_IN_MANIFESTS.flatMap(({ id, kind }) => (kind === 'scm' ? [id] : []));

export function listRunSites(configSection: ConfigSection, env: Env): RunSite[] {
  let installedPlugins = readInstalledPlugins(configSection);
  for (const id of forgeIds) installedPlugins = addForgeToken(installedPlugins, id, env);
  const usable = forgeIds.filter(
    (id) => installedPlugins[id] && installedPlugins[id].enabled !== false,
  );
  return listForgeSites(usable, installedPlugins as Settings['plugins']);
}

const WITH_KEYS = ['builtin', 'claude'];

/** The agent program that needs nothing more; null = none does. */
function findReadyAgent(
  installedPlugins: InstalledPlugins,
  { env, home }: RunConfigSources,
): string | null {
  const adviceContext = { home, hostEnv: env, plugins: installedPlugins as Settings['plugins'] };
  const ready = listSetUpsHere(adviceContext, []).find(
    ({ found, install, open, secret }) =>
      found !== null && install === null && !open && secret === null,
  );
  return ready?.provider ?? null;
}

function buildLlmSection(
  sources: RunConfigSources,
  installedPlugins: InstalledPlugins,
): ConfigSection {
  const { given, agent, model } = sources;
  const llm = toSectionCopy(given.llm);
  const hasKey = installedPlugins.builtin?.config?.apiKey !== undefined;
  const agentId =
    agent ??
    (llm.defaultProvider as string | undefined) ??
    (model !== null && hasKey ? 'builtin' : findReadyAgent(installedPlugins, sources));
  if (agentId !== null) llm.defaultProvider = agentId;
  if (model === null) return llm;
  const alias = { model, ...(agentId === null ? {} : { provider: agentId }) };
  return { ...llm, aliases: { ...toSectionCopy(llm.aliases), planning: alias, coding: alias } };
}

/**
 * The configuration of a run's home: that of `--config`, missing keys from the environment, the
 * repository and the team layer. Holds secrets.
 */
export function buildRunConfig(sources: RunConfigSources): Record<string, unknown> {
  const { given, env, repository, layer } = sources;
  let installedPlugins = readInstalledPlugins(given);
  for (const id of WITH_KEYS) installedPlugins = addExecutorKey(installedPlugins, id, env);
  const forges = repository.forge === null ? forgeIds : [repository.forge];
  if (repository.path === null)
    for (const id of forges) installedPlugins = addForgeToken(installedPlugins, id, env);
  const local = toSectionCopy(toSectionCopy(given.forges).local);
  const repos = toSectionCopy(local.repos);
  if (repository.path !== null) repos[repository.slug] = repository.path;
  return {
    ...given,
    plugins: { ...toSectionCopy(given.plugins), installed: installedPlugins },
    llm: buildLlmSection(sources, installedPlugins),
    forges: { ...toSectionCopy(given.forges), local: { ...local, repos } },
    ...(layer === null
      ? {}
      : { tenant: { ...toSectionCopy(given.tenant), overlay: { kind: 'localDir', path: layer } } }),
  };
}
