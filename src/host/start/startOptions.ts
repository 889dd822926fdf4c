import type { ConfigChange } from '../../base/audit/summarizeConfigChanges.ts';
import type { ConfigServiceOptions } from '../config/configService.ts';
import type { AdoptedJob } from '../../contract/schema/runner/cloudStatus.ts';
import type { RunnerProcess } from '../../contract/runner/runnerProcess.ts';
import type { CommitPlace } from '../../base/settings/commitPlaces.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Ids } from '../../base/system/ids/ids.ts';
import type { KnownSecrets } from '../../base/secrets/knownSecrets.ts';
import type { Log } from '../../base/system/log/log.ts';
import type { Releasers } from '../../base/concurrency/releasers.ts';
import type { FaultPlan } from '../runner/faultPoints.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { StateWait } from './openWhenFree.ts';

/** What the process of an adopted home reports. */
export interface AdoptedProcess {
  onJobs(jobs: AdoptedJob[]): void;
  /** Every job has ended: nothing is left to do. */
  onOver(): void;
}

export interface StartOptions {
  log: Log;
  /** The runner's own environment; agents get a few named members of it. */
  hostEnv: Readonly<Record<string, string | undefined>>;
  /** Folder of the package: `intelligence/`, `dist/ui/` and `cli/bin/` are in it. */
  packageRoot: string;
  /** Process id to name in the lock. */
  pid: number;
  /** Taken out of journal, logs and replies; the runner adds its token and later config secrets. */
  secrets: KnownSecrets;
  config: Pick<ConfigServiceOptions, 'sources' | 'started'>;
  /** Where the runner kills itself, for tests of crashes; null, the default = nowhere. */
  faults?: FaultPlan | null;
  /** Starts with state.db alone where files beside it are missing or do not fit; default: refused. */
  acceptLoss?: boolean;
  /** Where commits are written; default auto. */
  commits?: CommitPlace;
  /** Default: the machine's. */
  clock?: Clock;
  /** Called when settings of the running runner have changed; default: nothing. */
  onSettings?(): void;
  /** The process that it is in; default: one that cannot be asked for anything. */
  process?: RunnerProcess;
  /** Requests other than /health wait for it; default: they do not. */
  confirmed?: Promise<void>;
  /** Default: a state that another process has is refused at once. */
  stateWait?: StateWait;
  /** The home is that of a lost runner: its jobs are continued, and no new ones are made. Default: it is its own. */
  adopted?: AdoptedProcess;
  /** Whether what actors do is served to inspectors; default: not. */
  inspect?: boolean;
}

export interface Start extends StartOptions {
  settings: Settings;
  clock: Clock;
  ids: Ids;
  /** Each step adds what must be released, in the order of acquisition. */
  releasers: Releasers;
  /**
   * Where the runner answers: empty until it listens, which comes after everything that names the
   * address.
   */
  address: { url: string };
  settingsListeners: Set<() => void>;
  /** Records that the configuration file was changed by hand; until the runner exists, nothing is recorded. */
  noteEdit(changes: readonly ConfigChange[]): void;
  /** Checks schedules as the creation of their jobs would; until the runner exists, nothing is checked. */
  checkSchedules: NonNullable<ConfigServiceOptions['checkSchedules']>;
}
