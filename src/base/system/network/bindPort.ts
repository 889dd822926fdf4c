import type { Server } from 'node:http';

/**
 * Resolves with the port: the real one where `port` is 0. `backlog`: connections that may wait to be accepted; default:
 * Node's. Rejects with what `toBindError` makes of the error.
 */
export const bindPort = (
  server: Server,
  { host, port, backlog }: { host: string; port: number; backlog?: number },
  toBindError: (error: Error) => Error,
): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => reject(toBindError(error)));
    server.listen({ host, port, backlog }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
