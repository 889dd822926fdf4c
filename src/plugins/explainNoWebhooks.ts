import type { PluginView } from '../contract/schema/runner/plugin.ts';

/**
 * Tells the sender why deliveries for a plugin are not accepted, without revealing the
 * configuration or naming settings that the plugin does not have.
 */
export function explainNoWebhooks(id: string, plugins: readonly PluginView[]): string {
  const view = plugins.find((one) => one.id === id && one.origin !== 'leftover');
  const not = `Webhooks for ${id} are not accepted`;
  if (!view) return `${not}: there is no plugin with this id.`;
  if (!Object.hasOwn(view.settings, 'webhookSecret')) {
    const how = 'its manifest declares no webhook';
    return `${not}: the plugin takes none${view.origin === 'installed' ? ` (${how})` : ''}.`;
  }
  const setting = `plugins.installed.${id}.config.webhookSecret`;
  return `${not}: set ${setting}. If it is set, svc plugin list shows why ${id} cannot be used.`;
}
