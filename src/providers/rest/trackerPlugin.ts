import { SvcError } from '../../base/errors/errors.ts';
import type { PluginManifest } from '../../contract/schema/runner/plugin.ts';
import type { JobTracker } from '../../contract/forge/tracker.ts';
import type { ReadWebhook } from '../../contract/forge/hook.ts';
import {
  type ConfigSamples,
  definePlugin,
  type PluginOf,
  type Tracker,
  type TrackerContext,
} from '../../contract/runner/plugin.ts';
import type { BuiltInPlugin } from './builtInPlugin.ts';
import { REMOTE_FORGE_SETTINGS } from './forgePlugin.ts';

export interface BuiltInTracker extends BuiltInPlugin<PluginOf<'tracker'>> {
  /** Opens the tracker for jobs. Throws SvcError for settings that cannot be used. */
  open(context: TrackerContext): Promise<JobTracker & Tracker>;
  /** Reads deliveries to `POST /webhooks/<id>`; null = another plugin does. */
  readWebhook: ((secret: string | null, config: TrackerContext['config']) => ReadWebhook) | null;
}

export const REMOTE_TRACKER_SETTINGS = {
  wakeAuthors: {
    type: 'string',
    default: '',
    description:
      'Comma-separated account IDs or e-mail addresses whose comments wake jobs; * = everyone; default: members.',
  },
  ignoreAuthors: {
    type: 'string',
    default: '',
    description: 'Comma-separated account IDs or e-mail addresses that never wake a job.',
  },
  requestsPerJob: REMOTE_FORGE_SETTINGS.requestsPerJob,
  webhookSecret: REMOTE_FORGE_SETTINGS.webhookSecret,
} as const satisfies PluginManifest['settings'];

/**
 * Least time between two writes of one account, ms: Jira takes ten a second for one issue, Linear
 * counts by the hour.
 */
export const TRACKER_WRITE_GAP_MS = 250;

/**
 * Joins manifest and code. `samples` for the conformance kit: settings that work without a network.
 */
export const createBuiltInTracker = (
  manifest: PluginManifest,
  create: (
    context: TrackerContext,
    remote: NonNullable<TrackerContext['remote']>,
  ) => Promise<JobTracker & Tracker>,
  readWebhook: BuiltInTracker['readWebhook'],
  samples: ConfigSamples = {},
): BuiltInTracker => {
  const open: BuiltInTracker['open'] = async (context) => {
    const { remote } = context;
    if (!remote)
      throw new SvcError('not-possible-now', `${manifest.id} needs a network, and was given none.`);
    return create(context, remote);
  };
  return {
    manifest,
    open,
    readWebhook,
    plugin: definePlugin({ kind: 'tracker', create: open, samples }),
  };
};
