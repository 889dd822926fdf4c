import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export class AnsweringServer {
  readonly seen: { method: string; url: string; authorization: string; body: string }[] = [];
  readonly #server: Server;

  constructor(answer: (req: IncomingMessage, res: ServerResponse, body: string) => void) {
    this.#server = createServer(async (req, res) => {
      const parts: Buffer[] = [];
      for await (const part of req) parts.push(part);
      const body = Buffer.concat(parts).toString();
      const { method = '', url = '', headers } = req;
      this.seen.push({ method, url, authorization: headers.authorization ?? '', body });
      answer(req, res, body);
    });
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
