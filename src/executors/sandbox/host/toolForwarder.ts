import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Hands requests on to the tool server of the session and to nothing else of the runner: a proxy
 * filters hosts, and the runner answers more at the same address. Answers the address to ask.
 */
export async function forwardTools(toolUrl: string): Promise<string> {
  const target = new URL(toolUrl);
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '';
    // Below it are the external servers of the session.
    const isOfSession =
      path === target.pathname || /^\/[A-Za-z0-9._-]+$/.test(path.slice(target.pathname.length));
    if (!path.startsWith(target.pathname) || !isOfSession) {
      outgoing.writeHead(404).end();
      return;
    }
    const { host: _, connection: _connection, ...headers } = incoming.headers;
    const asked = request(new URL(path, target), { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    // The inside sees what a runner that has stopped looks like: no answer.
    asked.on('error', () => outgoing.destroy());
    incoming.pipe(asked);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}${target.pathname}`;
}
