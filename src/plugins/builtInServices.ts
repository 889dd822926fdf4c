import type { Clock } from '../base/time/clock.ts';
import { createLoki, type Loki } from '../providers/loki/loki.ts';
import {
  type ObservabilityServer,
  createObservabilityServer,
} from '../providers/observability/server.ts';
import { createTempo, type Tempo } from '../providers/tempo/tempo.ts';
import type { PluginManifest } from '../contract/schema/runner/plugin.ts';
import type { PluginSettings } from '../contract/schema/runner/settings.ts';
import { lokiManifest, tempoManifest } from './builtIn/observability.ts';
import type { HealthAnswer } from '../contract/runner/plugin.ts';
import { createGuardedRequest } from './guardedRequest.ts';
import { type OpenedBuiltIn, openBuiltIn } from './openBuiltIn.ts';

export interface Configurable {
  id: string;
  /** False: `plugins.installed` does not name it, or switches it off. */
  configured: boolean;
  /** Why it cannot be used though it is configured; null = it can. */
  problem: string | null;
  healthcheck?(): Promise<HealthAnswer>;
}

export interface BuiltInServices {
  all: readonly Configurable[];
  /** null = not configured, or not usable. */
  loki: Loki | null;
  tempo: Tempo | null;
}

/** Loki and Tempo from `plugins.installed`. One with wrong settings is listed with its problem. */
export async function openServices(
  settings: Readonly<Record<string, PluginSettings>>,
  clock: Clock,
): Promise<BuiltInServices> {
  const open = <Service>(
    name: ObservabilityServer['name'],
    manifest: PluginManifest,
    create: (server: ObservabilityServer, clock: Clock) => Service,
  ) => {
    const entry = settings[manifest.id];
    return openBuiltIn(manifest, entry, (config) =>
      create(
        createObservabilityServer(
          name,
          config,
          createGuardedRequest(manifest.id, entry?.allowHosts ?? []),
        ),
        clock,
      ),
    );
  };
  const loki = await open('Loki', lokiManifest, createLoki);
  const tempo = await open('Tempo', tempoManifest, createTempo);
  return {
    all: [toConfigurable(loki), toConfigurable(tempo)],
    loki: loki.service,
    tempo: tempo.service,
  };
}

const toConfigurable = ({
  id,
  configured,
  problem,
  service,
}: OpenedBuiltIn<{ healthcheck(): Promise<HealthAnswer> }>): Configurable => ({
  id,
  configured,
  problem,
  ...(service ? { healthcheck: () => service.healthcheck() } : {}),
});
