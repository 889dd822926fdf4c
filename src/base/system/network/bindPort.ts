import type { Server } from 'node:http';

/**
 * Resolves with the port: the real one where `port` is 0. Rejects with what `toBindError` makes of the error.
 */
export const bindPort = (
  server: Server,
  { host, port }: { host: string; port: number },
  toBindError: (error: Error) => Error,
): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => reject(toBindError(error)));
    server.listen({ host, port }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
