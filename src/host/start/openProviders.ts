import { join } from 'node:path';
import type { ConfiguredForge } from '../../plugins/builtInForges.ts';
import {
  listAgentUses,
  type BuiltInExecutor,
  openBuiltInExecutors,
} from '../../plugins/builtInExecutors.ts';
import type { ConfiguredTracker } from '../../plugins/builtInTrackers.ts';
import { createPluginHost, type PluginHostOptions } from '../../plugins/pluginHost.ts';
import { toPluginsDir } from '../../plugins/install.ts';
import { resolvePluginProgram } from '../../plugins/process/pluginProcess.ts';
import { listLoginFiles } from '../../plugins/setUp/listLoginFiles.ts';
import { explainNoWebhooks } from '../../plugins/explainNoWebhooks.ts';
import { collectWebhooks } from '../../plugins/collectWebhooks.ts';
import { createForges } from '../../providers/forges.ts';
import type { OpenStore } from '../../jobs/store/openStore.ts';
import { createTrackers } from '../../providers/trackers.ts';
import { openConnections } from './connections.ts';
import { createLoginSecretSource } from './loginSecrets.ts';
import type { Start } from './startOptions.ts';
import type { TeamConnection } from './teamConnection.ts';

export type Providers = Awaited<ReturnType<typeof openProviders>>;

/**
 * Opens everything that the configuration names in `plugins.installed`. A plugin that cannot be
 * used is returned with the reason; the others still work.
 */
export const openProviders = async (
  start: Start,
  store: OpenStore,
  { reach: { mayAct }, webhooks: { isForwarded } }: Pick<TeamConnection, 'reach' | 'webhooks'>,
) => {
  const { settings, clock } = start;
  const connections = await openConnections(start, store, mayAct);
  const executors = await openBuiltInExecutors({ clock, settings: settings.plugins });
  reportUnusableExecutors(start, executors);
  const plugins = openPluginHost(start, {
    builtIn: executors,
    services: connections.listAll,
    mayAct,
  });
  await plugins.start();
  start.releasers.add('plugins', () => plugins.stop());
  const listeners = new Set<() => void>();
  const forges = (): ConfiguredForge[] => [...connections.now.forges, ...plugins.forges()];
  return {
    // Each is asked at each use: a plugin may be installed, or get other settings, meanwhile.
    services: () => connections.now.services,
    executors,
    plugins,
    trackers: createTrackers(() => [
      ...pickUsableTrackers(connections.now.trackers),
      ...pickUsableTrackers(plugins.trackers()),
    ]),
    forges: createForges([], () => pickUsableForges(forges())),
    /** Applies the current settings. */
    async takeUp() {
      if (await connections.takeUp()) for (const listener of listeners) listener();
      const before = executors.map(({ problem }) => problem);
      await Promise.all(
        executors.map((executor) => executor.takeUp(settings.plugins[executor.id])),
      );
      reportUnusableExecutors(
        start,
        executors.filter(({ problem }, n) => problem !== before[n]),
      );
      await plugins.takeUp();
    },
    remote: {
      get watch() {
        return collectForgeWatches(forges());
      },
      get problems() {
        return collectForgeProblems(forges());
      },
      get webhooks() {
        const webhooks = collectWebhooks(plugins.forges(), plugins.trackers(), clock);
        return { ...connections.now.hooks, ...webhooks };
      },
      get forwardedWebhooks() {
        const webhooks = collectWebhooks(plugins.forges(), plugins.trackers(), clock, 'forwarded');
        return { ...connections.now.forwarded, ...webhooks };
      },
      isForwarded,
      get triggers() {
        return settings.triggers ?? [];
      },
      random: Math.random,
      onChange(listener: () => void) {
        listeners.add(listener);
        const off = plugins.onChange(listener);
        return () => {
          listeners.delete(listener);
          off();
        };
      },
      explainNoWebhooks: (id: string) => explainNoWebhooks(id, plugins.list()),
      isPluginChanging: (id: string) =>
        plugins.isBuiltIn(id) ? connections.isChanging(id) : plugins.isChanging(id),
    },
  };
};

const openPluginHost = (
  start: Start,
  hostOptions: Pick<PluginHostOptions, 'builtIn' | 'services' | 'mayAct'>,
) => {
  const { settings, clock, ids, hostEnv, log, secrets } = start;
  secrets.addSource(createLoginSecretSource(() => listLoginFiles(settings.plugins)));
  return createPluginHost({
    ...hostOptions,
    pluginsDir: toPluginsDir(settings.home),
    program: resolvePluginProgram(start.packageRoot, import.meta.url.endsWith('.ts')),
    version: settings.version,
    settings: settings.plugins,
    hostEnv,
    clock,
    ids,
    screen: secrets.screen,
    onSecret: (secret) => secrets.add([secret]),
    mirrorsDir: join(settings.home, 'mirrors'),
    uses: (id) => listAgentUses(settings.llm, id),
    onUnhealthy: (plugin, detail) => log.warn({ plugin, detail }, 'a plugin is unhealthy'),
    onLeftOut: (plugin, member, why) =>
      log.warn({ plugin, member, why }, "part of a plugin's answer was ignored"),
  });
};

function reportUnusableExecutors(
  { settings, log }: Pick<Start, 'settings' | 'log'>,
  executors: readonly Pick<BuiltInExecutor, 'id' | 'problem'>[],
): void {
  for (const { id, problem } of executors)
    if (problem !== null && settings.plugins[id]?.enabled !== false)
      log.error({ plugin: id, problem }, 'a plugin cannot be used');
}

const pickUsableTrackers = (trackers: readonly Pick<ConfiguredTracker, 'tracker'>[]) =>
  trackers.flatMap(({ tracker }) => tracker ?? []);

const pickUsableForges = (forges: readonly ConfiguredForge[]) =>
  forges.flatMap(({ forge }) => forge ?? []);

const collectForgeWatches = (forges: readonly ConfiguredForge[]) =>
  Object.fromEntries(forges.map(({ id, watch }) => [id, watch]));

const collectForgeProblems = (forges: readonly ConfiguredForge[]): Record<string, string> =>
  Object.fromEntries(
    forges.flatMap(({ id, problem }) => (problem === null ? [] : [[id, problem]])),
  );
