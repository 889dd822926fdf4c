import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';

export interface Handshake {
  /** 101 = connected. */
  status: number;
  accept: string | undefined;
  /** The connection, for bytes that no library sends; null where it was refused. */
  socket: Socket | null;
}

/** The handshake alone, with the example key of RFC 6455. */
export async function shakeHands(
  url: string,
  headers: Record<string, string> = {},
): Promise<Handshake> {
  const outgoing = request(url.replace(/^ws:/, 'http:'), {
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    },
  });
  outgoing.end();
  const refused = once(outgoing, 'response').then(([response]): Handshake => {
    response.resume();
    return { status: response.statusCode, accept: undefined, socket: null };
  });
  const upgrade = once(outgoing, 'upgrade').then(
    ([{ headers: responseHeaders }, socket]): Handshake => ({
      status: 101,
      accept: responseHeaders['sec-websocket-accept'],
      socket,
    }),
  );
  return Promise.race([refused, upgrade]);
}

export class Inspector {
  readonly #socket: WebSocket;
  readonly #messages: string[] = [];
  #arrived: () => void = () => {};
  /** The code that the connection was closed with; 1006 = without a goodbye. */
  readonly closed: Promise<number>;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    this.closed = once(socket, 'close').then(([code]) => code);
    socket.on('message', (bytes) => {
      this.#messages.push(String(bytes));
      this.#arrived();
    });
  }

  static async open(url: string): Promise<Inspector> {
    const socket = new WebSocket(url);
    const inspector = new Inspector(socket);
    await once(socket, 'open');
    return inspector;
  }

  get extensions(): string {
    return this.#socket.extensions;
  }

  async message(): Promise<Record<string, unknown>> {
    for (;;) {
      const next = this.#messages.shift();
      if (next !== undefined) return JSON.parse(next);
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
  }

  /** Sends a ping; resolves what is answered. */
  async ping(text: string): Promise<string> {
    this.#socket.ping(text);
    const [answer] = await once(this.#socket, 'pong');
    return String(answer);
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  /** Reads nothing more until it is closed. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  leave(): void {
    this.#socket.close();
  }

  end(): void {
    this.#socket.terminate();
  }
}
