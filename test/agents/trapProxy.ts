import { createServer } from 'node:http';

/** A proxy that passes nothing on and remembers who wanted to be reached. */
export interface TrapProxy {
  url: string;
  /** `host:port` in the order of the attempts. */
  attempts: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** Variables that send everything but loopback to the proxy. */
export const proxyVariables = ({ url }: TrapProxy): Record<string, string> => ({
  HTTP_PROXY: url,
  HTTPS_PROXY: url,
  http_proxy: url,
  https_proxy: url,
  ALL_PROXY: url,
  NO_PROXY: '127.0.0.1,localhost',
  no_proxy: '127.0.0.1,localhost',
});

export async function openTrapProxy(): Promise<TrapProxy> {
  const attempts: string[] = [];
  const server = createServer((req, res) => {
    attempts.push(req.url ?? '');
    res.writeHead(502).end();
  });
  server.on('connect', (req, socket) => {
    attempts.push(req.url ?? '');
    socket.on('error', () => {});
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    attempts,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
