import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Forwards requests to the session's tool server and to nothing else of the runner: a proxy filters
 * only hosts, and the runner serves more at the same address. Resolves with the address to use.
 */
export async function forwardTools(toolUrl: string): Promise<string> {
  const target = new URL(toolUrl);
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '';
    // The session's external servers are below it.
    const isOfSession =
      path === target.pathname || /^\/[A-Za-z0-9._-]+$/.test(path.slice(target.pathname.length));
    if (!path.startsWith(target.pathname) || !isOfSession) {
      outgoing.writeHead(404).end();
      return;
    }
    const { host: _, connection: _connection, ...headers } = incoming.headers;
    const clientRequest = request(
      new URL(path, target),
      { method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    // No answer, as from a runner that has stopped.
    clientRequest.on('error', () => outgoing.destroy());
    incoming.pipe(clientRequest);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}${target.pathname}`;
}
