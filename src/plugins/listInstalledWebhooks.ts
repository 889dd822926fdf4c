import type { PluginView, WebhookManifest } from '../contract/schema/runner/plugin.ts';

/** How the sender of an installed plugin signs. */
export interface InstalledWebhook {
  pluginId: string;
  manifest: WebhookManifest;
}

/** How the senders of installed plugins sign; svc knows those that are built in. */
export const listInstalledWebhooks = (
  plugins: readonly Pick<PluginView, 'id' | 'origin' | 'webhook'>[],
): InstalledWebhook[] =>
  plugins.flatMap(({ id, origin, webhook }) =>
    origin === 'installed' && webhook !== null ? [{ pluginId: id, manifest: webhook }] : [],
  );
