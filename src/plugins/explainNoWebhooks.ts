import type { PluginView } from '../contract/schema/runner/plugin.ts';

/**
 * Why deliveries for a plugin are not accepted, for their sender: names no setting that the
 * plugin has not, and nothing of what is configured.
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
