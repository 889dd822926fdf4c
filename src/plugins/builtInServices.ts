import type { Clock } from '../lib/clock.ts';
import { messageOf } from '../lib/errors.ts';
import { createLoki, type Loki } from '../observability/loki.ts';
import { type Server, serverOf } from '../observability/server.ts';
import { createTempo, type Tempo } from '../observability/tempo.ts';
import type { PluginManifest } from '../schema/plugin.ts';
import type { PluginSettings } from '../schema/settings.ts';
import { lokiManifest, tempoManifest } from './builtIn/observability.ts';
import type { HealthAnswer } from '../contract/plugin.ts';
import { createGuardedRequest } from './guardedRequest.ts';
import { checkedConfig } from './pluginConfig.ts';

/** Something built in that is there only where it is configured, as the desk of plugins sees it. */
export interface Configurable {
  id: string;
  /** False: `plugins.installed` says nothing of it, or switches it off. */
  configured: boolean;
  /** Why it cannot be used though it is configured; null = it can. */
  fault: string | null;
  healthcheck?(): Promise<HealthAnswer>;
}

export interface BuiltInServices {
  all: readonly Configurable[];
  /** null = not configured, or not usable. */
  loki: Loki | null;
  tempo: Tempo | null;
}

interface Opened<Service> {
  entry: Configurable;
  service: Service | null;
}

function open<Service extends { healthcheck(): Promise<HealthAnswer> }>(
  { id }: PluginManifest,
  settings: PluginSettings | undefined,
  create: (settings: PluginSettings) => Service,
): Opened<Service> {
  if (settings === undefined || settings.enabled === false)
    return { entry: { id, configured: false, fault: null }, service: null };
  try {
    const service = create(settings);
    return { entry: { id, configured: true, fault: null, healthcheck: () => service.healthcheck() }, service };
  } catch (error) {
    return { entry: { id, configured: true, fault: messageOf(error) }, service: null };
  }
}

/** Loki and Tempo from `plugins.installed`. One whose settings are wrong is among them and says why. */
export function openServices(settings: Readonly<Record<string, PluginSettings>>, clock: Clock): BuiltInServices {
  const server = (name: Server['name'], manifest: PluginManifest, { config = {}, allowHosts = [] }: PluginSettings): Server =>
    serverOf(name, checkedConfig(manifest, config), createGuardedRequest(allowHosts));
  const loki = open(lokiManifest, settings[lokiManifest.id], (one) => createLoki(server('Loki', lokiManifest, one), clock));
  const tempo = open(tempoManifest, settings[tempoManifest.id], (one) => createTempo(server('Tempo', tempoManifest, one), clock));
  return { all: [loki.entry, tempo.entry], loki: loki.service, tempo: tempo.service };
}
