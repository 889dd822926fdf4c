import { join } from 'node:path';
import { type ConfiguredForge, forgeServices, openForges } from '../plugins/builtInForges.ts';
import { agentUses, openBuiltInExecutors } from '../plugins/builtInExecutors.ts';
import { openServices } from '../plugins/builtInServices.ts';
import { type ConfiguredTracker, openTrackers } from '../plugins/builtInTrackers.ts';
import { createPluginHost, type PluginHostOptions } from '../plugins/host.ts';
import { pluginsDirOf } from '../plugins/install.ts';
import { pluginProgramOf } from '../plugins/process/pluginProcess.ts';
import { noWebhooks } from '../plugins/noWebhooks.ts';
import { hooksOf } from '../plugins/webhookHooks.ts';
import { createAccounts } from '../providers/account/accounts.ts';
import { createForges } from '../providers/forges.ts';
import type { OpenStore } from '../durable/sqlite/openStore.ts';
import { createTrackers } from '../providers/trackers.ts';
import type { Start } from './startOptions.ts';

export type Providers = Awaited<ReturnType<typeof openProviders>>;

/**
 * Opens everything that the configuration names in `plugins.installed`. A plugin that cannot be
 * used is returned with the reason; the others still work.
 */
export const openProviders = async (start: Start, store: OpenStore) => {
  const { settings, clock, log, secrets } = start;
  const services = await openServices(settings.plugins, clock);
  for (const { id, problem } of services.all) {
    if (problem !== null) log.error({ plugin: id, problem }, 'a service cannot be used');
  }
  const openAccount = createAccounts({
    clock,
    random: Math.random,
    fetch: globalThis.fetch,
    screen: secrets.screen,
    onSecret: (secret) => secrets.add([secret]),
  });
  const builtInTrackers = await openTrackers({ settings: settings.plugins, clock, openAccount });
  for (const { id, problem } of builtInTrackers) {
    if (problem !== null) log.error({ tracker: id, problem }, 'a tracker cannot be used');
  }
  const configured = await openForges({
    settings,
    clock,
    rows: store.rows,
    openAccount,
    webUrl: (repo, number) =>
      `${start.address.url}/forges/local/repos/${encodeURIComponent(repo)}/prs/${number}`,
  });
  for (const { id, problem } of configured) {
    if (problem !== null) log.error({ forge: id, problem }, 'a forge cannot be used');
  }
  const builtInHooks = hooksOf(configured, builtInTrackers, clock);
  const executors = await openBuiltInExecutors({ clock, settings: settings.plugins });
  const plugins = pluginHost(start, {
    builtIn: executors,
    services: [...services.all, ...builtInTrackers, ...forgeServices(configured)],
  });
  await plugins.start();
  start.releasers.add('plugins', () => plugins.stop());
  return {
    services,
    executors,
    plugins,
    // Asked at each use: a plugin may be installed meanwhile.
    trackers: createTrackers(() => [...usable(builtInTrackers), ...usable(plugins.trackers())]),
    forges: createForges(usableForges(configured), () => usableForges(plugins.forges())),
    remote: {
      // Read at each use: a plugin may be installed meanwhile.
      get watch() {
        return watchOf([...configured, ...plugins.forges()]);
      },
      get problems() {
        return problemsOf([...configured, ...plugins.forges()]);
      },
      get webhooks() {
        return { ...builtInHooks, ...hooksOf(plugins.forges(), plugins.trackers(), clock) };
      },
      triggers: settings.triggers ?? [],
      random: Math.random,
      onChange: plugins.onChange,
      noWebhooks: (id: string) => noWebhooks(id, plugins.list()),
    },
  };
};

const pluginHost = (start: Start, builtIn: Pick<PluginHostOptions, 'builtIn' | 'services'>) => {
  const { settings, clock, ids, hostEnv, log, secrets } = start;
  return createPluginHost({
    ...builtIn,
    pluginsDir: pluginsDirOf(settings.home),
    program: pluginProgramOf(start.packageRoot, import.meta.url.endsWith('.ts')),
    version: settings.version,
    settings: settings.plugins,
    hostEnv,
    clock,
    ids,
    screen: secrets.screen,
    onSecret: (secret) => secrets.add([secret]),
    mirrorsDir: join(settings.home, 'mirrors'),
    uses: (id) => agentUses(settings.llm, id),
    onUnhealthy: (plugin, detail) => log.warn({ plugin, detail }, 'a plugin is unhealthy'),
  });
};

const usable = (trackers: readonly Pick<ConfiguredTracker, 'tracker'>[]) =>
  trackers.flatMap(({ tracker }) => tracker ?? []);

const usableForges = (forges: readonly ConfiguredForge[]) =>
  forges.flatMap(({ forge }) => forge ?? []);

/** How forges are watched, by id. */
const watchOf = (forges: readonly ConfiguredForge[]) =>
  Object.fromEntries(forges.map(({ id, watch }) => [id, watch]));

/** Why those that cannot be used cannot, by id. */
const problemsOf = (forges: readonly ConfiguredForge[]): Record<string, string> =>
  Object.fromEntries(
    forges.flatMap(({ id, problem }) => (problem === null ? [] : [[id, problem]])),
  );
