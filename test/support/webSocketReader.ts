import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';

/** A reader of a WebSocket as a browser would be one, on Node without a global one. */
export class WebSocketReader {
  /** Status of the handshake; 101 = connected. */
  readonly status: number;
  readonly accept: string | undefined;
  readonly #socket: Socket | null;
  #bytes = Buffer.alloc(0);
  readonly #frames: { opcode: number; payload: Buffer }[] = [];
  #arrived: () => void = () => {};

  private constructor(status: number, accept: string | undefined, socket: Socket | null) {
    this.status = status;
    this.accept = accept;
    this.#socket = socket;
    socket?.on('data', (bytes: Buffer) => this.#take(bytes));
  }

  static async open(url: string, headers: Record<string, string> = {}): Promise<WebSocketReader> {
    const asked = request(url.replace(/^ws:/, 'http:'), {
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...headers,
      },
    });
    asked.end();
    const refused = once(asked, 'response').then(([response]) => {
      response.resume();
      return new WebSocketReader(response.statusCode, undefined, null);
    });
    const taken = once(asked, 'upgrade').then(
      ([response, socket]) => new WebSocketReader(101, response.headers['sec-websocket-accept'], socket),
    );
    return Promise.race([refused, taken]);
  }

  #take(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    for (;;) {
      const short = (this.#bytes[1] ?? 0) & 0x7f;
      const at = short === 126 ? 4 : short === 127 ? 10 : 2;
      if (this.#bytes.length < at) return;
      const length = short === 126 ? this.#bytes.readUInt16BE(2) : short === 127 ? Number(this.#bytes.readBigUInt64BE(2)) : short;
      if (this.#bytes.length < at + length) return;
      this.#frames.push({ opcode: (this.#bytes[0] ?? 0) & 0x0f, payload: this.#bytes.subarray(at, at + length) });
      this.#bytes = this.#bytes.subarray(at + length);
      this.#arrived();
    }
  }

  async frame(): Promise<{ opcode: number; payload: Buffer }> {
    for (;;) {
      const next = this.#frames.shift();
      if (next) return next;
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
  }

  /** The next message, as JSON. */
  async message(): Promise<Record<string, unknown>> {
    return JSON.parse((await this.frame()).payload.toString());
  }

  /** Sends a short frame, masked as readers must. */
  send(opcode: number, text = ''): void {
    const mask = Buffer.from([1, 2, 3, 4]);
    const payload = Buffer.from(text).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
    this.#socket?.write(Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length]), mask, payload]));
  }

  raw(bytes: Buffer): void {
    this.#socket?.write(bytes);
  }

  async closed(): Promise<void> {
    if (this.#socket && !this.#socket.closed) await once(this.#socket, 'close');
  }

  end(): void {
    this.#socket?.destroy();
  }
}
