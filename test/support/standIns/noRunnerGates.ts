import { NO_BACKLOG } from '../../../src/base/concurrency/backlog.ts';
import { NO_TRACKERS } from '../../../src/providers/trackers.ts';
import type { RemoteForgeSettings } from '../../../src/forges/remoteForgeSettings.ts';
import type { RunnerDeps } from '../../../src/host/runner/runnerDeps.ts';
import { noOverlayGates } from './noOverlayGates.ts';
import { noSandboxes } from './noSandboxes.ts';
import { runsEverything } from './runsEverything.ts';
import { unscreened } from './unscreened.ts';

export const noRemote: RemoteForgeSettings = {
  watch: {},
  problems: {},
  webhooks: {},
  forwardedWebhooks: {},
  random: () => 0.5,
  explainNoWebhooks: (id) => `Webhooks for ${id} are not accepted.`,
};

/** A runner without secrets, rules, sandboxes, trackers, remote forges and a disk to watch. */
export const noRunnerGates: Pick<
  RunnerDeps,
  | 'backlog'
  | 'freeSpace'
  | 'decider'
  | 'remote'
  | 'trackers'
  | 'screen'
  | 'secretStream'
  | 'trust'
  | 'advise'
  | 'sandboxes'
  | 'guardrailScripts'
  | 'servers'
> = {
  backlog: NO_BACKLOG,
  freeSpace: null,
  decider: () => undefined,
  remote: noRemote,
  trackers: NO_TRACKERS,
  screen: unscreened,
  secretStream: null,
  trust: noOverlayGates.trust,
  advise: runsEverything.advise,
  sandboxes: noSandboxes,
  guardrailScripts: async () => ({ rules: [], ignored: [] }),
  servers: {
    ...noOverlayGates.servers,
    resolveInherited: async () => ({ servers: [], notes: [] }),
  },
};
