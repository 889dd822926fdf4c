import type { IncomingHttpHeaders } from 'node:http';
import { AnsweringServer } from '../http/answeringServer.ts';

export interface Reply {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string | object;
}

export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  /** undefined = it is not JSON. */
  json: Record<string, unknown> | undefined;
}

/**
 * A service that takes messages by POST. `refuse`: its next answers, before it looks at a message.
 * `accepted` holds what it has taken.
 */
export class FakeReceiver {
  readonly accepted: ReceivedRequest[] = [];
  readonly refuse: Reply[] = [];
  readonly #server: AnsweringServer;

  /** `answer`: what the service says to a message. Below 300 = it has taken it. */
  constructor(answer: (request: ReceivedRequest) => Reply) {
    this.#server = new AnsweringServer((req, res, text) => {
      const request: ReceivedRequest = {
        path: req.url ?? '',
        headers: req.headers,
        text,
        json: parseObject(text),
      };
      const { status, headers, body } =
        req.method === 'POST'
          ? (this.refuse.shift() ?? answer(request))
          : { status: 405, headers: {}, body: 'method not allowed' };
      if (status < 300) this.accepted.push(request);
      const type = typeof body === 'object' ? 'application/json' : 'text/plain';
      res.writeHead(status, { 'content-type': type, ...headers });
      res.end(typeof body === 'object' ? JSON.stringify(body) : body);
    });
  }

  get url(): string {
    return this.#server.url;
  }

  async start(): Promise<this> {
    await this.#server.start();
    return this;
  }

  stop(): void {
    this.#server.stop();
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
