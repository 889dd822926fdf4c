import type { Clock } from '../base/time/clock.ts';
import type { PluginSettings } from '../contract/schema/runner/settings.ts';
import type { OpenAccount } from '../contract/forge/account.ts';
import type { JobTracker } from '../contract/forge/tracker.ts';
import type { ReadWebhook } from '../contract/forge/hook.ts';
import { BUILT_IN_MANIFESTS, TRACKERS } from './builtInCatalogue.ts';
import type { Configurable } from './builtInServices.ts';
import type { PluginContext } from '../contract/runner/plugin.ts';
import { createGuardedRequest } from './guardedRequest.ts';
import { openBuiltIn } from './openBuiltIn.ts';
import { checkPluginConfig } from './pluginConfig.ts';

export interface ConfiguredTracker extends Configurable {
  /** null = it is not configured, or cannot be used. */
  tracker: JobTracker | null;
  /** Reads its webhooks; null = it sends none, or no secret is configured. */
  webhook: ReadWebhook | null;
  /** Reads those that the control plane has verified, and verifies them again with a secret; null = it sends none. */
  forwarded: ReadWebhook | null;
  /** Its settings, checked; null as above. */
  config: PluginContext['config'] | null;
}

interface OpenTrackersOptions {
  settings: Readonly<Record<string, PluginSettings>>;
  clock: Clock;
  openAccount: OpenAccount;
}

/**
 * The trackers that are part of svc; those that `plugins.installed` configures are opened. One with
 * wrong settings is listed with its problem, so that the runner and the other trackers continue.
 */
export function openTrackers({
  settings,
  clock,
  openAccount,
}: OpenTrackersOptions): Promise<ConfiguredTracker[]> {
  const readConfig = (id: string): PluginContext['config'] | null => {
    const entry = settings[id];
    const manifest = BUILT_IN_MANIFESTS.find((one) => one.id === id);
    return entry && entry.enabled !== false && manifest
      ? checkPluginConfig(manifest, entry.config ?? {})
      : null;
  };
  return Promise.all(
    TRACKERS.map(async ({ manifest, open, readWebhook }): Promise<ConfiguredTracker> => {
      const entry = settings[manifest.id];
      const openedBuiltIn = await openBuiltIn(manifest, entry, async (config) => {
        const request = createGuardedRequest(manifest.id, entry?.allowHosts ?? []);
        const tracker = await open({
          config,
          clock,
          request,
          remote: { openAccount, readSettings: readConfig },
        });
        const secret = String(config.webhookSecret ?? '');
        return {
          tracker,
          webhook: secret === '' ? null : (readWebhook?.(secret, config) ?? null),
          forwarded: readWebhook?.(secret === '' ? null : secret, config) ?? null,
        };
      });
      const { service, ...state } = openedBuiltIn;
      const tracker = service?.tracker ?? null;
      const healthcheck = tracker?.healthcheck?.bind(tracker);
      return {
        ...state,
        tracker,
        webhook: service?.webhook ?? null,
        forwarded: service?.forwarded ?? null,
        ...(healthcheck ? { healthcheck } : {}),
      };
    }),
  );
}
