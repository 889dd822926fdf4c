import type { Client } from '../../src/api/client/client.ts';
import { loadSettings } from '../../src/host/config/settings/loadSettings.ts';
import { mayAlwaysAct } from '../../src/base/concurrency/mayAct.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import { runOfflineAct } from '../../src/host/audit/offlineActs.ts';
import { hideAddressLogins } from '../../src/base/text/hideAddressLogins.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { randomIds } from '../../src/base/system/ids/ids.ts';
import { openNetwork } from '../../src/base/system/network/network.ts';
import { listAgentUses, openBuiltInExecutors } from '../../src/plugins/builtInExecutors.ts';
import { openForgeServicesAlone, toLocalForgeService } from '../../src/plugins/builtInForges.ts';
import { openServices } from '../../src/plugins/builtInServices.ts';
import { openTrackers } from '../../src/plugins/builtInTrackers.ts';
import { createPluginHost } from '../../src/plugins/pluginHost.ts';
import { toPluginsDir } from '../../src/plugins/install.ts';
import { resolvePluginProgram } from '../../src/plugins/process/pluginProcess.ts';
import { createAccounts } from '../../src/providers/account/accounts.ts';
import { createSecretsPatch } from '../../src/base/secrets/createSecretsPatch.ts';
import type { Io } from '../io.ts';
import { findPackageRoot } from '../findPackageRoot.ts';
import { KnownSecrets } from '../../src/base/secrets/knownSecrets.ts';
import { openHomeConfig } from './selectConfigSource.ts';

export type PluginService = Pick<
  Client,
  | 'plugins'
  | 'pluginJobs'
  | 'installPlugin'
  | 'uninstallPlugin'
  | 'pluginModels'
  | 'checkPlugin'
  | 'testPlugin'
>;

/** The plugins of this home without a runner. */
export async function openHomePlugins(io: Io): Promise<PluginService> {
  const root = findPackageRoot(import.meta.url);
  const { settings, secrets } = await loadSettings({
    env: io.env,
    homeDir: io.homeDir,
    flags: {},
    packageRoot: root,
  });
  await openNetwork(io.env, null);
  const knownSecrets = new KnownSecrets(secrets);
  const openAccount = createAccounts({
    clock: systemClock,
    random: Math.random,
    fetch: globalThis.fetch,
    mayAct: mayAlwaysAct,
    screen: knownSecrets.screen,
    onSecret: (secret) => knownSecrets.add([secret]),
  });
  const services = [
    ...(await openServices(settings.plugins, systemClock)).all,
    ...(await openTrackers({ settings: settings.plugins, clock: systemClock, openAccount })),
    toLocalForgeService(settings.plugins),
    ...(await openForgeServicesAlone({ settings, clock: systemClock, openAccount })),
  ];
  const host = createPluginHost({
    pluginsDir: toPluginsDir(settings.home),
    program: resolvePluginProgram(root, import.meta.url.endsWith('.ts')),
    version: settings.version,
    settings: settings.plugins,
    builtIn: await openBuiltInExecutors({ clock: systemClock, settings: settings.plugins }),
    services: () => services,
    hostEnv: io.env,
    clock: systemClock,
    ids: randomIds,
    mayAct: mayAlwaysAct,
    screen: knownSecrets.screen,
    onSecret: (secret) => knownSecrets.add([secret]),
    uses: (id) => listAgentUses(settings.llm, id),
    onUnhealthy: () => undefined,
  });
  await host.start();
  const auditAct = <T>(action: string, target: Record<string, string>, work: () => Promise<T>) =>
    runOfflineAct(settings.home, { at: io.now(), action, target }, work);
  return {
    async plugins() {
      await host.awaitChecks();
      return host.list();
    },
    // Jobs are the runner's, and none runs.
    pluginJobs: async () => [],
    installPlugin(body) {
      const target = { spec: hideAddressLogins(body.spec) };
      return auditAct('installPlugin', target, () => host.install(body));
    },
    async uninstallPlugin(id) {
      const declaredSettings = host.list().find((one) => one.id === id)?.settings ?? {};
      const secrets = Object.keys(declaredSettings).filter(
        (name) => declaredSettings[name]?.secret === true,
      );
      await auditAct('uninstallPlugin', { pluginId: id }, () => host.uninstall(id));
      const { config, updateConfig } = await openHomeConfig(io);
      const change = createSecretsPatch((await config()).reply.config, id, secrets);
      if (change !== null) await updateConfig(change.patch);
    },
    pluginModels: (id) => host.models(id),
    checkPlugin: (id) => host.healthcheck(id),
    testPlugin: (id) => host.test(id),
  };
}

/** The runner where one answers; the home's own folder where none does and none was named. */
export async function selectPluginService(
  io: Io,
  client: Promise<Client>,
  hasUrl: boolean,
): Promise<PluginService> {
  try {
    const runner = await client;
    await runner.health();
    return runner;
  } catch (error) {
    if (hasUrl || !(error instanceof SvcError) || error.code !== 'unreachable') throw error;
    return openHomePlugins(io);
  }
}
