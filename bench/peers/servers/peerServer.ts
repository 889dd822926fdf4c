import type { ServerProcess } from './serverProcess.ts';

/** The server of a peer on a folder of its own: it can be started again after a kill. */
export interface PeerServer {
  readonly ports: Readonly<Record<string, number>>;
  start(): Promise<ServerProcess>;
}
