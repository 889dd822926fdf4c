import type { Hook } from '../contract/forge/hook.ts';
import type { TriggerRule } from '../contract/schema/forge/trigger.ts';
import type { WatchSettings } from './inbound/polling/pollers.ts';

/** How remote forges are used; read at each use, since a plugin may be installed meanwhile. */
export interface RemoteForgeSettings {
  /** By forge id; default: every 60 s, members wake. */
  watch: Readonly<Record<string, WatchSettings>>;
  /** Forges that are configured and cannot be used, by id: why. */
  problems: Readonly<Record<string, string>>;
  /** Plugins whose webhooks are taken, by id; default: none. */
  webhooks: Readonly<Record<string, Hook>>;
  /** Rules by which webhooks make jobs; default: none. */
  triggers?: readonly TriggerRule[];
  /** At least 0, below 1. */
  random(): number;
  /**
   * Calls the listener whenever plugins were installed or have other settings, until the returned
   * function is called; default: they stay as they are.
   */
  onChange?(listener: () => void): () => void;
  /** Why deliveries for a plugin are not accepted, where none are. */
  noWebhooks(pluginId: string): string;
}
