import type { PluginView, WebhookManifest } from '../contract/schema/runner/plugin.ts';

/** How the senders of installed plugins sign; svc knows those that are built in. */
export const listInstalledWebhooks = (
  plugins: readonly Pick<PluginView, 'id' | 'origin' | 'webhook'>[],
): { pluginId: string; manifest: WebhookManifest }[] =>
  plugins.flatMap(({ id, origin, webhook }) =>
    origin === 'installed' && webhook !== null ? [{ pluginId: id, manifest: webhook }] : [],
  );
