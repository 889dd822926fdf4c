import type { ReceivedFrame } from '../../contract/channel/frames.ts';
import type { ConnectedRunner } from './runnerDirectory.ts';
import type { RunnerSession } from './runnerSession.ts';

/** How webhooks use the socket of a runner. */
export type WebhookSocket = Pick<RunnerSession, 'send' | 'hasRoom' | 'isOpen'>;

/** What the sockets of runners know of webhooks. */
export interface WebhookLinks {
  /** A runner that takes webhooks has connected to this node. */
  attach(runner: ConnectedRunner, socket: WebhookSocket): void;
  detach(runner: ConnectedRunner, socket: WebhookSocket): void;
  take(
    runner: ConnectedRunner,
    frame: ReceivedFrame<'hookAck' | 'claim'>,
    socket: WebhookSocket,
  ): void;
}
