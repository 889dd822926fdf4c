import type { Agent } from 'node:http';
import type { Accept, Frame, RunnerState } from '../contract/channel/frames.ts';
import type { Clock } from '../base/time/clock.ts';
import type { ForwardedWebhooks } from '../contract/forge/forwardedWebhook.ts';
import type { CloudStatus } from '../contract/schema/runner/cloudStatus.ts';
import type { JobSource } from './jobSender.ts';
import type { Lease } from './homes/lease.ts';
import type { SocketLog } from './homes/socketLog.ts';
import type { OwnApp } from './ownApp.ts';

/** What a runner says of itself in each hello. */
export interface RunnerDescription {
  name: string;
  labels: string[];
  accept: Accept;
  slots: number;
  executors: string[];
  forges: string[];
  repositories: string[];
  /** Manifests of the webhooks of its installed plugins. */
  webhooks: NonNullable<Frame<'hello'>['webhooks']>;
  /** How many homes of lost runners it continues at most. */
  adopts: number;
}

/** What a runner says of itself in each beat. */
export interface RunnerLoad {
  slots: number;
  free: number;
  state: RunnerState;
}

export interface CloudLinkOptions {
  url: string;
  /** Carries its sockets, such as through a proxy; default: Node's own connections do. */
  agent?: Agent | null;
  /** The newest one: the control plane changes it now and then. */
  token: string;
  program: string;
  store: number;
  homeId: string;
  /** Of this process. */
  instance: string;
  describe(): RunnerDescription;
  load(): RunnerLoad;
  jobs: JobSource;
  app: OwnApp;
  /** Takes what the team's senders send. */
  webhooks: ForwardedWebhooks;
  /** How long this runner may act on the world. */
  lease: Pick<Lease, 'mark' | 'narrow' | 'renew'>;
  /** The log of the home; null = it has none, or none yet. */
  homeLog(): SocketLog | null;
  /** Keeps a new token for the next start. */
  saveToken(token: string): Promise<void>;
  onWelcome(frame: Pick<Frame<'welcome'>, 'team' | 'runner'>): void;
  onConnection(connection: CloudStatus['connection'], problem: string | null): void;
  /** The overlay of the team, or a proposal for it, may have changed. */
  onOverlay(): void;
  /** The home of a lost runner is offered. Never rejects. */
  onAdopt(offer: Frame<'adopt'>): Promise<{ ok: true } | { ok: false; reason: string }>;
  clock: Clock;
  random(): number;
  log: {
    info(facts: object, text: string): void;
    warn(facts: object, text: string): void;
    error(facts: object, text: string): void;
  };
}
