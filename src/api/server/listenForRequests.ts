import { bindPort } from '../../base/system/network/bindPort.ts';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type Clock, systemClock } from '../../base/time/clock.ts';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import { formatUrlHost, isLoopbackHost, isWildcard } from './gates/addresses.ts';
import type { HttpApp } from './app.ts';
import { OwnRequests } from './ownRequests.ts';
import { CONNECTION_LIMITS, type ConnectionLimits } from './connections.ts';

/**
 * How long a stop waits for requests that are being answered, ms; then their connections are cut.
 */
export const CLOSE_DEADLINE_MS = 3_000;
/** Between two looks for connections that have become idle during a stop, ms. */
const CLOSE_STEP_MS = 20;

export interface ListenOptions extends Pick<Settings['server'], 'host' | 'port' | 'auth'> {
  /** Content of runner.token; empty = none. */
  token: string;
  /** Times the end of a stop; default: the machine's. */
  clock?: Clock;
  /** Default: those of svc. */
  limits?: ConnectionLimits;
}

export interface Listening {
  /** Where a browser of this machine finds it, without a slash at the end. */
  url: string;
  /** The real one where 0 was asked for. */
  port: number;
  /**
   * What answers the port, for requests that come another way, such as over the link to a control plane: with the same
   * gates, and counted at a stop. null = the port is closed.
   */
  answer(): RequestListener | null;
  /**
   * Ends all streams with `bye`, lets running requests finish, and resolves when the port is free.
   */
  close(): Promise<void>;
}

const toBindError = (error: NodeJS.ErrnoException, host: string, port: number): SvcError => {
  const cause = error;
  switch (error.code) {
    case 'EADDRINUSE':
      return new SvcError(
        'conflict',
        `Port ${port} on ${host} is in use, perhaps by another runner. Choose another with --port <n> or server.port in the configuration file.`,
        { cause, data: { host, port } },
      );
    case 'EACCES':
      return new SvcError(
        'forbidden',
        `Port ${port} may not be opened by this user; choose one above 1023 with --port <n>.`,
        {
          cause,
        },
      );
    default:
      return new SvcError(
        'config-invalid',
        `Cannot listen on ${host}, port ${port} (${toErrorMessage(error)}); see server.host and server.port.`,
        { cause },
      );
  }
};

/**
 * A server whose clients can take only so much of it. Streams and answers may last: only requests
 * have to be there in time.
 */
function createLimitedServer(
  { connections }: HttpApp,
  answer: RequestListener,
  limits: ConnectionLimits,
): Server {
  const { headersMs, requestMs, checkMs } = limits;
  const timeouts = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
  };
  const server = createServer(timeouts, answer);
  // No header is dropped: what is not seen cannot be judged. Their bytes are bounded by Node, their
  // number by the gate.
  server.maxHeadersCount = 0;
  server.maxConnections = 2 * limits.connections;
  server.on('connection', (socket) => connections.add(socket, limits.connections));
  return server;
}

/**
 * Opens the port.
 * @throws SvcError `config-invalid` before anything is opened, for an address that others can reach
 *   without a token; `conflict` when the port is taken
 */
export async function listenForRequests(app: HttpApp, options: ListenOptions): Promise<Listening> {
  const { host, port, token, auth, clock = systemClock, limits = CONNECTION_LIMITS } = options;
  if (!isLoopbackHost(host) && (auth === 'off' || token === '')) {
    throw new SvcError(
      'config-invalid',
      `server.host is ${host}, which other machines can reach, but no token is required. Set server.auth to "auto" or "required", or server.host to 127.0.0.1.`,
    );
  }
  const bare = host.replace(/^\[|\]$/g, '');
  const answer = app.koa.callback();
  const server = createLimitedServer(app, answer, limits);
  const ownRequests = new OwnRequests(answer);
  const bound = await bindPort(server, { host: bare, port }, (error) =>
    toBindError(error, bare, port),
  );
  return {
    url: `http://${isWildcard(host) ? '127.0.0.1' : formatUrlHost(host)}:${bound}`,
    port: bound,
    answer: () => (server.listening ? ownRequests.answer : null),
    close: () => closeGracefully(server, app, ownRequests, clock),
  };
}

/**
 * `server.close` alone waits for connections that clients keep open for later; those have to be
 * closed again and again.
 */
async function closeGracefully(
  server: Server,
  app: HttpApp,
  ownRequests: OwnRequests,
  clock: Clock,
): Promise<void> {
  await new Promise<void>((resolve) => {
    const deadline = clock.now() + CLOSE_DEADLINE_MS;
    let cancel: () => void = () => undefined;
    const closed = new Promise<void>((end) => server.close(() => end()));
    void Promise.all([closed, ownRequests.idle()]).then(() => {
      cancel();
      resolve();
    });
    app.stopStreams();
    const sweep = () => {
      if (clock.now() >= deadline) {
        server.closeAllConnections();
        ownRequests.cut();
      } else server.closeIdleConnections();
      app.connections.closeUnused();
      cancel = clock.at(clock.now() + CLOSE_STEP_MS, sweep);
    };
    sweep();
  });
}
