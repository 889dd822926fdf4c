import type { AdoptionParts } from '../adoption/openAdoptedHomes.ts';
import type { InstalledWebhook } from '../../plugins/listInstalledWebhooks.ts';
import type { OwnApp } from '../../cloudLink/ownApp.ts';
import type { ConfigService } from '../config/configService.ts';
import type { RemoteOverlay } from '../../jobs/workspace/remoteOverlay.ts';
import type { RunningRunner } from '../runner/runner.ts';

/** What the connection to a control plane uses of the runner. */
export interface ConnectionParts {
  runner: Pick<
    RunningRunner,
    | 'jobs'
    | 'watchJobs'
    | 'readJobs'
    | 'jobCounts'
    | 'health'
    | 'waiting'
    | 'takeForwarded'
    | 'teamProposals'
    | 'teamPullRequests'
  >;
  config: Pick<ConfigService, 'change'>;
  /** The tenant layer where other people change it; null = a folder of this machine. */
  overlay: RemoteOverlay | null;
  /** What answers the requests of the control plane. */
  answer: OwnApp['answer'];
  /** Content of runner.token. */
  token: string;
  executors(): readonly string[];
  forges(): readonly string[];
  /** Manifests of the webhooks of installed plugins. */
  webhooks(): InstalledWebhook[];
  /** Calls the listener whenever these may have changed. The control plane hears of them at each connection. */
  onPluginsChange(listener: () => void): void;
  slots(): { used: number; limit: number };
  /** null = this process continues the home of another runner, and takes no further ones. */
  adoption: AdoptionParts | null;
}
