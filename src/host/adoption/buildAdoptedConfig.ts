import type { Config } from '../config/configSchema.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';

interface AdoptedRunner {
  /** Name of the lost runner. */
  name: string;
  /** Token of the process that continues its home. */
  token: string;
}

/** An adopted home has one slot: its jobs come on top of those of the adopter. */
const ADOPTED_SLOTS = 1;

/**
 * The configuration of the process that continues a lost runner's home: that of the adopter, whose
 * plug-ins, accounts, trust and budgets apply. Nothing in it starts a job, it has a port of its own,
 * and paths that count from the adopter's folder are absolute.
 */
export function buildAdoptedConfig(
  config: Config,
  settings: Pick<Settings, 'cloud' | 'forges' | 'tenant' | 'paths' | 'checkout'>,
  { name, token }: AdoptedRunner,
): Record<string, unknown> {
  const { triggers: _triggers, schedules: _schedules, backup: _backup, ...rest } = config;
  const { $schema: _schema, ...ownSettings } = rest;
  const { overlay } = settings.tenant;
  const repos = Object.entries(settings.forges.local.repos).map(
    ([slug, { path, defaultBranch }]) => [
      slug,
      defaultBranch === null ? path : { path, defaultBranch },
    ],
  );
  return {
    ...ownSettings,
    paths: {},
    intelligence: { ...config.intelligence, dir: settings.paths.intelligenceDir },
    tenant:
      overlay.kind === 'localDir'
        ? { ...config.tenant, overlay: { ...config.tenant.overlay, path: overlay.path } }
        : config.tenant,
    forges: {
      ...config.forges,
      local: { ...config.forges.local, repos: Object.fromEntries(repos) },
    },
    checkout: {
      ...config.checkout,
      repositories: settings.checkout?.repositories ?? config.checkout.repositories,
    },
    runner: { ...config.runner, maxConcurrentJobs: ADOPTED_SLOTS },
    server: { ...config.server, port: 0 },
    cloud: {
      ...config.cloud,
      url: settings.cloud.url,
      token,
      name,
      labels: [],
      accept: 'none',
      adoptSlots: 0,
    },
  };
}
