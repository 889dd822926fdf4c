import { DEFAULT_TIMEOUT_SECONDS } from '../../providers/observability/server.ts';
import type { PluginManifest } from '../../contract/schema/runner/plugin.ts';

type Name = 'Loki' | 'Tempo';

const buildObservabilitySettings = (name: Name): NonNullable<PluginManifest['settings']> => ({
  baseUrl: {
    type: 'string',
    required: true,
    description: `Address of ${name}, or of Grafana's proxy to it: https://<grafana>/api/datasources/proxy/uid/<uid>.`,
  },
  token: {
    type: 'string',
    secret: true,
    env: `${name.toUpperCase()}_TOKEN`,
    description: 'Bearer token, such as that of a Grafana service account.',
  },
  username: {
    type: 'string',
    description:
      'User name for basic authentication, instead of a token; at Grafana Cloud the instance number.',
  },
  password: {
    type: 'string',
    secret: true,
    env: `${name.toUpperCase()}_PASSWORD`,
    description: 'Password of the user.',
  },
  tenant: {
    type: 'string',
    description: 'Sent as X-Scope-OrgID; several joined by |. Default: none.',
  },
  timeoutSeconds: {
    type: 'number',
    default: DEFAULT_TIMEOUT_SECONDS,
    description: 'Longest wait for an answer, seconds, 1 to 300.',
  },
});

const buildObservabilityManifest = (name: Name, title: string): PluginManifest => ({
  contract: 1,
  id: name.toLowerCase(),
  kind: 'observability',
  title,
  entry: 'built-in',
  offers: ['healthcheck'],
  settings: buildObservabilitySettings(name),
});

export const lokiManifest = buildObservabilityManifest('Loki', 'Logs of Grafana Loki for agents');
export const tempoManifest = buildObservabilityManifest(
  'Tempo',
  'Traces of Grafana Tempo for agents',
);

/** Parts of svc that are configured like plugins but have no contract of their own. */
export const SERVICE_MANIFESTS: readonly PluginManifest[] = [lokiManifest, tempoManifest];
