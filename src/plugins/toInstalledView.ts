import type { PluginHealth, PluginView } from '../contract/schema/runner/plugin.ts';
import { addGivenSettings } from './givenSettings.ts';
import type { PluginPackage } from './manifest.ts';

/** `found` null = its manifest cannot be read. */
export function toInstalledView(
  id: string,
  pluginPackage: PluginPackage | null,
  health: PluginHealth,
): PluginView {
  const { manifest, version } = pluginPackage ?? {};
  return {
    id,
    kind: manifest?.kind ?? null,
    title: manifest?.title ?? id,
    version: version ?? '',
    origin: 'installed',
    health,
    capabilities: manifest?.capabilities ?? null,
    offers: manifest?.offers ?? [],
    settings: (manifest && addGivenSettings(manifest).settings) ?? {},
    webhook: manifest?.webhook ?? null,
  };
}
