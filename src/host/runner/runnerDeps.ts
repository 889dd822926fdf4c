import type { AskClaim } from '../../contract/forge/forwardedWebhook.ts';
import type { SessionBacklog } from '../../base/concurrency/backlog.ts';
import type { RepoTrust, TenantLayer } from '../../jobs/workspace/jobOverlays.ts';
import type { FileSecrets } from '../../jobs/workspace/checkouts/personFiles.ts';
import type { SecretStream } from '../../base/secrets/secretStream.ts';
import type { Workplace } from '../../jobs/workspace/workplace.ts';
import type { DecidesQuestions } from '../../contract/policy/decider.ts';
import type { Executor } from '../../contract/session/executor.ts';
import type { ScriptRules } from '../../policy/guardrails/readScriptRules.ts';
import type { JobTrace } from '../../contract/schema/job/job.ts';
import type { CloudStatus } from '../../contract/schema/runner/cloudStatus.ts';
import type { MachineClock } from '../../base/time/clock.ts';
import type { Ids } from '../../base/system/ids/ids.ts';
import type { Log } from '../../base/system/log/log.ts';
import type { ServerSource } from '../../workflows/toolServers/serverSource.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { Forges } from '../../providers/forges.ts';
import type { OpenStore } from '../../jobs/store/openStore.ts';
import type { ToolHost } from '../../executors/tools/host/createToolHost.ts';
import type { Trackers } from '../../providers/trackers.ts';
import type { Blobs } from '../../jobs/workspace/blobs.ts';
import type { Sandboxes } from '../../executors/sandbox/sandboxes.ts';
import type { RunAdvisor } from '../../jobs/create/refuseToRun.ts';
import type { FaultPoints } from './faultPoints.ts';
import type { RemoteForgeSettings } from '../../forges/remoteForgeSettings.ts';
import type { ForgeSite } from '../../jobs/tickets/findRepoInTicket.ts';

export interface RunnerDeps {
  settings: Settings;
  store: OpenStore;
  clock: MachineClock;
  /** Free bytes on the disk of a folder; null = no disk is watched. */
  freeSpace: ((folder: string) => Promise<number>) | null;
  ids: Ids;
  log: Log;
  /** Asked at each use: a plugin may be installed meanwhile. */
  executors(): readonly Executor[];
  /** The decider of an installed plugin; undefined = none has this id. */
  decider(id: string): DecidesQuestions | undefined;
  /** The local one is among them. */
  forges: Forges;
  remote: RemoteForgeSettings;
  /** Asked at each use: a plugin may be installed meanwhile. */
  trackers: Trackers;
  /**
   * Where people see the repositories of forges, so that a ticket may link one; default: nowhere.
   */
  sites?(): readonly ForgeSite[];
  tools: ToolHost;
  /** What waits for the control plane of the runner; without one: {@link NO_BACKLOG}. */
  backlog: SessionBacklog;
  /** Where the runner answers; asked for when a session opens, so it may be known late. */
  baseUrl(): string;
  hostEnv: Readonly<Record<string, string | undefined>>;
  binDir: string;
  /** Takes the runner's secrets out of what is stored and sent. */
  screen(text: string): string;
  /** The same for bytes that come in pieces; null = this runner has no secrets. */
  secretStream: (() => SecretStream) | null;
  /** Knows what must not be seen of files that agents get; default: nothing is known. */
  fileSecrets?: FileSecrets;
  trust: RepoTrust;
  /** How agents that cannot run are set up on this machine. */
  advise: RunAdvisor['advise'];
  /** The tenant layer if it is a git repository elsewhere; default: none. */
  tenantLayer?: (() => Promise<TenantLayer>) | undefined;
  sandboxes: Sandboxes;
  guardrailScripts(): Promise<ScriptRules>;
  servers: ServerSource;
  /** Put around the ports, for tests of crashes; default: nothing. */
  aroundPorts?: FaultPoints['wrapPorts'];
  /** Whether the state of this home was that of another machine; default: it was not. */
  isFromElsewhere?: () => boolean;
  /** Whether it only continues the home of a lost runner: it makes no new jobs. Default: it does. */
  isAdopted?: boolean;
  /** Whether this start is the first one after another machine had the home; default: it is not. */
  isTakeover?: () => boolean;
  /** Default: this disk. */
  workplace?: Workplace;
  /** Default: files below `settings.paths.blobs`. */
  blobs?: Blobs;
  /** Called when a request or a trigger has created a job, or a request repeats one that has; default: nothing. */
  onJobCreated?: () => void;
  /** The trace of a job; undefined, the default = traces are off. */
  findTrace?: (jobId: string) => JobTrace | undefined;
  /** Asks the team whether a rule may create a job; default: it may. */
  askClaim?: AskClaim;
  /** How the runner is connected to its control plane; null, the default = it has none. */
  cloud?: () => CloudStatus | null;
  /** Schedules the next group of events; default: `setImmediate`. Simulations drive it by hand. */
  defer?: (flush: () => void) => void;
}
