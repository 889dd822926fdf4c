import type { LogSocket, SocketLog } from './homes/socketLog.ts';
import type { RequestAnswerer } from './requestAnswerer.ts';
import type { RunnerSocket } from './runnerSocket.ts';
import type { WebhookInbox } from './webhookInbox.ts';

/** A socket to the control plane, with what uses it. */
export interface LiveSocket {
  socket: RunnerSocket;
  answers: RequestAnswerer;
  webhooks: WebhookInbox;
  /** How the log uses this socket. */
  logSocket: LogSocket;
  /** The log that its hello named: what comes is about that one; null = none. */
  homeLog: SocketLog | null;
  welcomeAt: number | null;
  /** Another socket replaces it. */
  isRetired: boolean;
}
