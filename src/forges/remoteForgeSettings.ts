import type { Hook } from '../contract/forge/hook.ts';
import type { TriggerRule } from '../contract/schema/forge/trigger.ts';
import type { WatchSettings } from './inbound/polling/pollers.ts';

/** Read at each use, since a plugin may be installed meanwhile. */
export interface RemoteForgeSettings {
  /** By forge id; default: polled every 60 s, and members wake jobs. */
  watch: Readonly<Record<string, WatchSettings>>;
  /** Why a configured forge cannot be used, by forge id. */
  problems: Readonly<Record<string, string>>;
  /** Plugins whose webhooks are taken, by id; default: none. */
  webhooks: Readonly<Record<string, Hook>>;
  /** The same for those that come through the control plane; default: none. */
  forwardedWebhooks: Readonly<Record<string, Hook>>;
  /** Whether the control plane forwards webhooks of a plugin; default: of none. */
  isForwarded?(pluginId: string): boolean;
  /** Rules by which webhooks make jobs; default: none. */
  triggers?: readonly TriggerRule[];
  /** At least 0, below 1. */
  random(): number;
  /**
   * Calls the listener whenever plugins were installed or got other settings, until the returned
   * function is called; default: never.
   */
  onChange?(listener: () => void): () => void;
  explainNoWebhooks(pluginId: string): string;
  /** Whether a plugin is being installed or given other settings, so that a sender should try again; default: none is. */
  isPluginChanging?(pluginId: string): boolean;
}
