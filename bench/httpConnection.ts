import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { BENCH_TOKEN } from './home.ts';

type Take = (status: number, body: Buffer) => void;

const CLOSED = 'the server closed the connection';

/**
 * The bytes of a request; a body is sent as JSON. `more`: further headers, which override the
 * others.
 */
export function requestBytes(
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  more: Readonly<Record<string, string>> = {},
): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const token = method === 'GET' ? {} : { Authorization: `Bearer ${BENCH_TOKEN}` };
  const headers = { Host: '127.0.0.1', Accept: 'application/json', ...token, ...more };
  const head = [
    `${method} ${path} HTTP/1.1`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  if (body !== undefined)
    head.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`);
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`);
}

/**
 * One kept-alive connection, one request at a time. It understands just the replies that the runner
 * and bare Koa send (with Content-Length): a whole client would cost more than the server that is
 * measured.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #bytes: Buffer = Buffer.alloc(0);
  #take: Take | undefined;
  #lost: ((error: Error) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => this.#read(bytes));
    // The `close` event that follows rejects those who wait.
    socket.on('error', () => {});
    socket.on('close', () => this.#lost?.(new Error(CLOSED)));
  }

  static async open(port: number): Promise<HttpConnection> {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    await once(socket, 'connect');
    return new HttpConnection(socket);
  }

  send(request: Buffer, take: Take): void {
    this.#take = take;
    this.#socket.write(request);
  }

  /** The body of the reply; throws where the status is not 2xx, or no reply can come. */
  ask(request: Buffer): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error(CLOSED));
      this.#lost = reject;
      this.send(request, (status, body) => {
        if (status >= 200 && status < 300) resolve(body.toString());
        else
          reject(
            new Error(
              `${request.toString('latin1').split('\r\n', 1)[0]} was answered ${status}: ${body}`,
            ),
          );
      });
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(bytes: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
    const end = this.#bytes.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#bytes.toString('latin1', 0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const whole = end + 4 + length;
    if (this.#bytes.length < whole) return;
    const body = this.#bytes.subarray(end + 4, whole);
    this.#bytes = this.#bytes.subarray(whole);
    this.#take?.(Number(head.slice(9, 12)), body);
  }
}

/** Replies a second over `ms`, every connection busy. Throws at the first reply that is not 200. */
export async function loadRate(
  port: number,
  requests: readonly Buffer[],
  connections: number,
  ms: number,
): Promise<number> {
  const open = await Promise.all(
    Array.from({ length: connections }, () => HttpConnection.open(port)),
  );
  const start = performance.now();
  let replies = 0;
  try {
    await new Promise<void>((resolve, reject) => {
      const next = (connection: HttpConnection) => {
        const request = requests[replies % requests.length];
        if (!request || performance.now() - start >= ms) return resolve();
        connection.send(request, (status, body) => {
          if (status !== 200) return reject(new Error(`the load was answered ${status}: ${body}`));
          replies += 1;
          next(connection);
        });
      };
      for (const connection of open) next(connection);
    });
    return (replies / (performance.now() - start)) * 1_000;
  } finally {
    for (const connection of open) connection.close();
  }
}
