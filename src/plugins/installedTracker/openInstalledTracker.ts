import type { PluginContext } from '../../contract/runner/plugin.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { createSignedReader } from '../../providers/hooks/createSignedReader.ts';
import type { PluginManifest } from '../../contract/schema/runner/plugin.ts';
import type { PluginSettings } from '../../contract/schema/runner/settings.ts';
import type { ConfiguredTracker } from '../builtInTrackers.ts';
import { addGivenSettings } from '../givenSettings.ts';
import { checkPluginConfig } from '../pluginConfig.ts';
import { Deliveries } from './deliveries.ts';
import { type InstalledTrackerOptions, createInstalledTracker } from './tracker.ts';

interface OpenInstalledTrackerOptions
  extends Pick<InstalledTrackerOptions, 'ask' | 'mayAct' | 'screen' | 'onLeftOut'> {
  manifest: PluginManifest;
  settings: PluginSettings;
  onFault(what: string): void;
}

export type OpenInstalledTracker = Omit<ConfiguredTracker, 'configured' | 'tracker'> &
  Required<Pick<ConfiguredTracker, 'tracker'>>;

/** Never throws: wrong settings affect this tracker only, and fail each of its calls. */
export function openInstalledTracker(options: OpenInstalledTrackerOptions): OpenInstalledTracker {
  const { manifest, settings, onFault } = options;
  const { id, webhook, offers = [] } = manifest;
  const tracker = createInstalledTracker({ ...options, id, issueAt: offers.includes('issueAt') });
  let config: PluginContext['config'];
  try {
    config = checkPluginConfig(addGivenSettings(manifest), settings.config ?? {});
  } catch (error) {
    return {
      id,
      tracker,
      problem: toErrorMessage(error),
      webhook: null,
      forwarded: null,
      config: null,
    };
  }
  const secret = String(config.webhookSecret ?? '');
  const usable = { id, tracker, problem: null, config };
  if (!webhook) return { ...usable, webhook: null, forwarded: null };
  const deliveries = new Deliveries({ id, ask: tracker.readReported, onFault });
  const read = createSignedReader({
    id,
    signature: () => webhook,
    idHeaders: webhook.idHeader ? [webhook.idHeader] : ['webhook-id'],
    read: (delivery) => ({
      subject: null,
      event: null,
      translate: () => deliveries.eventIn(delivery),
    }),
  });
  const readForwarded = read(secret === '' ? null : secret);
  return { ...usable, webhook: secret === '' ? null : readForwarded, forwarded: readForwarded };
}
