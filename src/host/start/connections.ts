import { isDeepStrictEqual } from 'node:util';
import type { MayAct } from '../../base/concurrency/mayAct.ts';
import {
  type ConfiguredForge,
  toForgeServices,
  toLocalForgeService,
  openForges,
} from '../../plugins/builtInForges.ts';
import { type BuiltInServices, openServices } from '../../plugins/builtInServices.ts';
import { type ConfiguredTracker, openTrackers } from '../../plugins/builtInTrackers.ts';
import { collectWebhooks } from '../../plugins/collectWebhooks.ts';
import { createAccounts } from '../../providers/account/accounts.ts';
import type { OpenStore } from '../../jobs/store/openStore.ts';
import type { Start } from './startOptions.ts';

/** What `plugins.installed` configures of svc's own forges, trackers and services, open. */
interface OpenedParts {
  services: BuiltInServices;
  trackers: ConfiguredTracker[];
  forges: ConfiguredForge[];
  /** Of deliveries to this runner. */
  hooks: ReturnType<typeof collectWebhooks>;
  /** Of those that come through the control plane. */
  forwarded: ReturnType<typeof collectWebhooks>;
}

/**
 * The built-in forges, trackers and services, as the configuration is now. Who uses them asks for
 * `now` each time; a request that is under way ends with the account that it began with.
 */
export interface Connections {
  readonly now: OpenedParts;
  listAll(): ReturnType<typeof toForgeServices>;
  /** Opens them again where their settings have changed; whether they had. */
  takeUp(): Promise<boolean>;
  /** Whether the settings of a plugin have changed and are not in use yet. */
  isChanging(pluginId: string): boolean;
}

/** Opens them. One that cannot be used is among them and says why; the others still work. */
export async function openConnections(
  start: Start,
  store: OpenStore,
  mayAct: MayAct,
): Promise<Connections> {
  const { settings, clock, log, secrets } = start;
  const openAccount = createAccounts({
    clock,
    random: Math.random,
    fetch: globalThis.fetch,
    mayAct,
    screen: secrets.screen,
    onSecret: (secret) => secrets.add([secret]),
  });
  const open = async (): Promise<OpenedParts> => {
    const services = await openServices(settings.plugins, clock);
    const trackers = await openTrackers({ settings: settings.plugins, clock, openAccount });
    const forges = await openForges({
      settings,
      clock,
      rows: store.rows,
      mayAct,
      openAccount,
      webUrl: (repo, number) =>
        `${start.address.url}/forges/local/repos/${encodeURIComponent(repo)}/prs/${number}`,
    });
    for (const { id, problem } of [...services.all, ...trackers, ...forges])
      if (problem !== null) log.error({ plugin: id, problem }, 'a plugin cannot be used');
    return {
      services,
      trackers,
      forges,
      hooks: collectWebhooks(forges, trackers, clock),
      forwarded: collectWebhooks(forges, trackers, clock, 'forwarded'),
    };
  };
  let now = await open();
  let openedSettings = structuredClone(settings.plugins);
  /** Settings that `now` is opened with. */
  let usedSettings = openedSettings;
  return {
    get now() {
      return now;
    },
    listAll: () => [
      ...now.services.all,
      ...now.trackers,
      toLocalForgeService(settings.plugins),
      ...toForgeServices(now.forges),
    ],
    async takeUp() {
      if (isDeepStrictEqual(openedSettings, settings.plugins)) return false;
      openedSettings = structuredClone(settings.plugins);
      const nextSettings = openedSettings;
      now = await open();
      usedSettings = nextSettings;
      return true;
    },
    isChanging: (id) => !isDeepStrictEqual(usedSettings[id], settings.plugins[id]),
  };
}
