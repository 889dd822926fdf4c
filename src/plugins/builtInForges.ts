import { join } from 'node:path';
import { mayAlwaysAct } from '../base/concurrency/mayAct.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Settings } from '../contract/schema/runner/settings.ts';
import type { OpenAccount } from '../contract/forge/account.ts';
import { isRemote } from '../contract/forge/remoteForge.ts';
import type { Forge } from '../contract/forge/forge.ts';
import type { WakeRules, ReadWebhook } from '../contract/forge/hook.ts';
import { parseWakeRules } from '../providers/rest/wakeRules.ts';
import { createAccounts } from '../providers/account/accounts.ts';
import { localPlugin, REMOTE_FORGES } from './builtInCatalogue.ts';
import { DEFAULT_POLL_SECONDS } from '../providers/rest/forgePlugin.ts';
import type { Configurable } from './builtInServices.ts';
import type { ForgeContext } from '../contract/forge/builtInForge.ts';
import type { PluginContext } from '../contract/runner/plugin.ts';
import { createGuardedRequest } from './guardedRequest.ts';
import { openBuiltIn } from './openBuiltIn.ts';
import { openForge } from './openPlugin.ts';
import { KnownSecrets } from '../base/secrets/knownSecrets.ts';
import { formatSettingMistakes, findSettingMistakes, fillValidConfig } from './pluginConfig.ts';

const MIN_POLL_SECONDS = 1;

export interface ConfiguredForge {
  id: string;
  forge: Forge | null;
  problem: string | null;
  /** How its pull requests are watched; the local forge reports changes by itself. */
  watch: { intervalMs: number; rules: WakeRules };
  /** Reads its webhooks; null = it sends none, or no secret is configured. */
  webhook: ReadWebhook | null;
  /** Reads those that the control plane has verified, and verifies them again with a secret; null = it sends none. */
  forwarded: ReadWebhook | null;
  /** A person uses its account too. */
  selfIsPerson: boolean;
}

export interface OpenForgesOptions
  extends Pick<ForgeContext, 'clock' | 'rows' | 'webUrl' | 'mayAct'> {
  clock: Clock;
  settings: Pick<Settings, 'home' | 'forges' | 'plugins'>;
  openAccount: OpenAccount;
}

export const parseForgeWatch = (config: PluginContext['config']): ConfiguredForge['watch'] => {
  const seconds = Number(config.pollSeconds ?? DEFAULT_POLL_SECONDS);
  return {
    intervalMs: Math.max(MIN_POLL_SECONDS, seconds) * 1000,
    rules: parseWakeRules(String(config.wakeAuthors ?? ''), String(config.ignoreAuthors ?? '')),
  };
};

/**
 * The local forge, and every remote one that `plugins.installed` configures. A forge with wrong
 * settings is listed with its problem, so that the runner and the other forges continue.
 */
export async function openForges(options: OpenForgesOptions): Promise<ConfiguredForge[]> {
  const { settings, clock, rows, webUrl, mayAct } = options;
  const { local: mine } = settings.plugins;
  // No runner starts without this forge, so its valid settings are used.
  const localConfig = fillValidConfig(localPlugin.manifest, mine?.config ?? {});
  const local = await openForge(localPlugin.plugin, localPlugin.manifest, {
    clock,
    rows,
    webUrl,
    mayAct,
    repos: settings.forges.local.repos,
    request: createGuardedRequest(localPlugin.manifest.id, []),
    config: localConfig,
  });
  return [
    {
      id: local.id,
      forge: local,
      problem: findLocalForgeProblem(settings.plugins),
      watch: parseForgeWatch(localConfig),
      webhook: null,
      forwarded: null,
      selfIsPerson: false,
    },
    ...(await openRemoteForges(options)),
  ];
}

function findLocalForgeProblem({ local }: Settings['plugins']): string | null {
  const mistakes = findSettingMistakes(localPlugin.manifest, local?.config ?? {});
  if (mistakes.length === 0) return null;
  return `${formatSettingMistakes('plugins.installed.local.config', mistakes)} The default applies instead.`;
}

async function openRemoteForges(options: OpenForgesOptions): Promise<ConfiguredForge[]> {
  const { settings, clock, rows, webUrl, mayAct, openAccount } = options;
  const configuredForges: ConfiguredForge[] = [];
  for (const { manifest, plugin, readWebhook } of REMOTE_FORGES) {
    const { id } = manifest;
    const openedBuiltIn = await openBuiltIn(manifest, settings.plugins[id], async (config) => {
      const remote = { openAccount, mirrorsDir: join(settings.home, 'mirrors', id) };
      const request = createGuardedRequest(id, []);
      const context = { clock, rows, webUrl, mayAct, repos: {}, request, config, remote };
      const forge = await openForge(plugin, manifest, context);
      const secret = String(config.webhookSecret ?? '');
      return {
        forge,
        webhook: secret === '' ? null : readWebhook(secret),
        forwarded: readWebhook(secret === '' ? null : secret),
      };
    });
    const { configured, problem, config, service } = openedBuiltIn;
    if (!configured) continue;
    configuredForges.push({
      id,
      forge: service?.forge ?? null,
      problem,
      watch: parseForgeWatch(config ?? {}),
      webhook: service?.webhook ?? null,
      forwarded: service?.forwarded ?? null,
      selfIsPerson: config?.selfIsPerson === true,
    });
  }
  return configuredForges;
}

/** What a forge gets where no runner keeps rows or shows pages. */
const WITHOUT_RUNNER = {
  rows: { all: () => [], one: () => undefined, count: () => 0 },
  webUrl: () => '',
  mayAct: mayAlwaysAct,
};

/**
 * The remote forges where no runner runs: whether they are configured and their accounts answer.
 */
export const openForgeServicesAlone = async (
  options: Omit<OpenForgesOptions, 'rows' | 'webUrl' | 'mayAct'>,
): Promise<Configurable[]> =>
  toForgeServices(await openRemoteForges({ ...options, ...WITHOUT_RUNNER }));

/** The problem of each configured remote forge, found without a network; null = none. */
export const findForgeProblems = (
  plugins: Settings['plugins'],
  clock: Clock,
): Promise<{ id: string; problem: string | null }[]> => {
  const knownSecrets = new KnownSecrets();
  const openAccount = createAccounts({
    clock,
    random: () => 0,
    fetch: globalThis.fetch,
    mayAct: mayAlwaysAct,
    screen: knownSecrets.screen,
    onSecret: (secret) => knownSecrets.add([secret]),
  });
  const base = { clock, ...WITHOUT_RUNNER, repos: {} };
  const opening = REMOTE_FORGES.map(async ({ manifest, plugin }) =>
    openBuiltIn(manifest, plugins[manifest.id], async (config) =>
      openForge(plugin, manifest, {
        ...base,
        request: createGuardedRequest(manifest.id, []),
        config,
        remote: { openAccount, mirrorsDir: '/nonexistent' },
      }),
    ),
  );
  return Promise.all(opening).then((all) => all.filter(({ configured }) => configured));
};

/** Every remote forge as the plugin host sees it, configured or not. */
export const toForgeServices = (
  configuredForges: readonly Pick<ConfiguredForge, 'id' | 'forge' | 'problem'>[],
): Configurable[] =>
  REMOTE_FORGES.map(({ manifest: { id } }) => {
    const one = configuredForges.find((entry) => entry.id === id);
    const forge = one?.forge;
    return {
      id,
      configured: one !== undefined,
      problem: one?.problem ?? null,
      ...(forge && isRemote(forge) ? { healthcheck: () => forge.healthcheck() } : {}),
    };
  });

export const toLocalForgeService = (plugins: Settings['plugins']): Configurable => ({
  id: localPlugin.manifest.id,
  configured: true,
  problem: findLocalForgeProblem(plugins),
});
