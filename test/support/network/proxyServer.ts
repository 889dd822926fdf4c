import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { SERVER } from './testAuthority.ts';

export interface Carried {
  method: string;
  /** `host:port` of CONNECT, the whole address of others. */
  target: string;
  /** The header Proxy-Authorization; null = it has none. */
  login: string | null;
}

const getPort = (server: Server | TlsServer): number => {
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
};

/** What every proxy says with a 407, and curl waits for before it gives a login. */
const ASKS = 'Proxy-Authenticate: Basic realm="proxy"\r\nContent-Length: 0\r\nConnection: close';

/** An HTTP proxy on loopback that knows a few host names, which no DNS knows. */
export class ProxyServer {
  readonly carried: Carried[] = [];
  /** Ports on this machine by `host:port`. */
  readonly routes = new Map<string, number>();
  /** `user:password` that it wants; null = none. */
  login: string | null = null;
  /** What it answers instead of carrying anything; null = it carries. */
  refuses: number | null = null;
  readonly #sockets = new Set<Duplex>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((req, res) => {
      const status = this.#refusal('GET', req.url ?? '', req.headers['proxy-authorization']);
      const to = URL.canParse(req.url ?? '') ? new URL(req.url ?? '') : null;
      const port = this.routes.get(`${to?.hostname}:${to?.port || 80}`);
      if (status !== null || port === undefined || !to)
        return void res.writeHead(status ?? 502).end();
      const path = `${to.pathname}${to.search}`;
      const { method = 'GET', headers } = req;
      const on = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
        res.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(res);
      });
      req.pipe(on);
    });
    this.#server.on('connect', (req, socket: Duplex) => {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      const status = this.#refusal('CONNECT', req.url ?? '', req.headers['proxy-authorization']);
      const port = this.routes.get(req.url ?? '');
      if (status !== null || port === undefined)
        return void socket.end(`HTTP/1.1 ${status ?? 502} Refused\r\n${ASKS}\r\n\r\n`);
      const on = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(on).pipe(socket);
      });
      on.on('error', () => socket.destroy());
    });
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get port(): number {
    return getPort(this.#server);
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #refusal(method: string, target: string, login: string | undefined): number | null {
    this.carried.push({ method, target, login: login ?? null });
    const expected = `Basic ${Buffer.from(this.login ?? '').toString('base64')}`;
    return this.login !== null && login !== expected ? 407 : this.refuses;
  }
}

/** Puts TLS, with the certificate of the tests, in front of a server on this machine. */
export class TlsFront {
  readonly #sockets = new Set<Duplex>();
  readonly #server: TlsServer;

  constructor(port: number) {
    this.#server = createTlsServer(SERVER, (socket) => {
      this.#sockets.add(socket);
      const on = connect(port, '127.0.0.1');
      for (const [from, to] of [
        [socket, on],
        [on, socket],
      ] as const) {
        from.on('error', () => to.destroy());
        from.pipe(to);
      }
    });
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get port(): number {
    return getPort(this.#server);
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
