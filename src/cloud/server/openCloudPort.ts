import { bindPort } from '../../base/system/network/bindPort.ts';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Connections } from '../../api/server/connections.ts';
import { formatUrlHost, isWildcard } from '../../api/server/gates/addresses.ts';
import { createDeferred } from '../../base/concurrency/createDeferred.ts';
import type { Clock } from '../../base/time/clock.ts';
import { answerClientErrors } from './answerClientErrors.ts';
import type { CloudApp } from './createCloudApp.ts';
import type { OpenRequests } from './openRequests.ts';
import { toBindError } from './toBindError.ts';

/** How long requests that are being answered may take when the node stops, ms; then they are cut. */
export const DRAIN_MS = 10_000;
/** Between two looks for connections that have become idle during a stop, ms. */
const CLOSE_STEP_MS = 20;
/** Seconds after which a client may try again, at another node. */
const RETRY_AFTER_SECONDS = 1;

/** Of a node: runners keep one connection each, and each open page of the dashboard one or two. */
export const CLOUD_CONNECTION_LIMITS = {
  /** Concurrent connections. Further ones get a 503 and are closed. */
  connections: 10_000,
  /** How long a client may take for the head of a request, ms. */
  headersMs: 15_000,
  /** How long a client may take for a whole request, ms. Answers and streams have no such limit. */
  requestMs: 60_000,
  /** Interval of the check for slow clients, ms. */
  checkMs: 5_000,
};

/** Connections that wait to be accepted: all runners of a node may come back within a second. Systems lower it to their own limit. */
const BACKLOG = 4_096;

/** Takes a connection over from HTTP, such as for a WebSocket. */
export interface Upgrade {
  path: string;
  accept(req: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export interface CloudPortOptions {
  host: string;
  port: number;
  clock: Clock;
  requests: OpenRequests;
}

export interface CloudPort {
  connections: Connections;
  /** Where this machine finds it, without a slash at the end. */
  url: string;
  /** The real one where 0 was asked for. */
  port: number;
  /** Gives it what answers. Requests that came before wait for it. */
  serve(app: CloudApp, upgrades: readonly Upgrade[]): void;
  /** Lets running requests finish for {@link DRAIN_MS}, and resolves when the port is free. */
  close(): Promise<void>;
}

const refuseUpgrade = (socket: Duplex, status: string): void => {
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\nRetry-After: ${RETRY_AFTER_SECONDS}\r\n\r\n`,
  );
};

/**
 * Opens the port.
 * @throws SvcError `conflict` when it is taken, `bad-argument` where it cannot be opened
 */
export async function openCloudPort(options: CloudPortOptions): Promise<CloudPort> {
  const { port, clock, requests } = options;
  const host = options.host.replace(/^\[|\]$/g, '');
  const { headersMs, requestMs, checkMs, connections: most } = CLOUD_CONNECTION_LIMITS;
  const listener = createDeferred<{ answer: RequestListener; upgrades: readonly Upgrade[] }>();
  const connections = new Connections();
  const server = createServer(
    { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: checkMs },
    (req, res) => {
      // Refused already.
      if (req.socket.destroyed) return;
      void listener.promise.then(({ answer }) => answer(req, res));
    },
  );
  // No header is dropped: what is not seen cannot be judged. Their bytes are bounded by Node, their
  // number by the gate.
  server.maxHeadersCount = 0;
  server.maxConnections = 2 * most;
  server.on('connection', (socket) => connections.add(socket, most));
  answerClientErrors(server, clock);
  const upgradedSockets = new Set<Duplex>();
  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    upgradedSockets.add(socket);
    socket.once('close', () => upgradedSockets.delete(socket));
    void listener.promise.then(({ upgrades }) => {
      const path = (req.url ?? '').split('?', 1)[0];
      const upgrade = upgrades.find((one) => one.path === path);
      if (upgrade === undefined) refuseUpgrade(socket, '404 Not Found');
      else if (requests.isDraining) refuseUpgrade(socket, '503 Service Unavailable');
      else upgrade.accept(req, socket, head);
    });
  });
  const bound = await bindPort(server, { host, port, backlog: BACKLOG }, (error) =>
    toBindError(error, { host, port }),
  );
  return {
    url: `http://${isWildcard(host) ? '127.0.0.1' : formatUrlHost(host)}:${bound}`,
    port: bound,
    connections,
    serve({ koa }, upgrades) {
      listener.resolve({ answer: koa.callback(), upgrades });
    },
    close: () =>
      closeGracefully({ server, connections, upgraded: upgradedSockets, requests, clock }),
  };
}

interface Closing {
  server: Server;
  connections: Connections;
  /** Connections that are no longer HTTP: Node leaves them alone. */
  upgraded: ReadonlySet<Duplex>;
  requests: OpenRequests;
  clock: Clock;
}

/** `server.close` alone waits for connections that clients keep open for later; those are closed again and again. */
function closeGracefully({
  server,
  connections,
  upgraded,
  requests,
  clock,
}: Closing): Promise<void> {
  return new Promise((resolve) => {
    const deadline = clock.now() + DRAIN_MS;
    let cancel: () => void = () => undefined;
    server.close(() => {
      cancel();
      resolve();
    });
    void requests.drain();
    const sweep = () => {
      if (clock.now() >= deadline) {
        server.closeAllConnections();
        for (const socket of upgraded) socket.destroy();
      } else server.closeIdleConnections();
      connections.closeUnused();
      cancel = clock.at(clock.now() + CLOSE_STEP_MS, sweep);
    };
    sweep();
  });
}
