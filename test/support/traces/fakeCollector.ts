import { AnsweringServer } from '../http/answeringServer.ts';
import { decodeTraceRequest, type DecodedSpan } from './decodeTraceRequest.ts';

/** `never`: the connection stays open without an answer. */
export type CollectorReply =
  | 'never'
  | { status: number; headers?: Readonly<Record<string, string>>; body?: string };

const ACCEPTED: CollectorReply = { status: 200, body: '{}' };

/** A collector that speaks OTLP over HTTP with JSON. `replies`: its next answers, then it accepts. */
export class FakeCollector {
  readonly replies: CollectorReply[] = [];
  /** What was decoded of each request, whatever the answer. */
  readonly requests: { headers: Record<string, unknown>; spans: DecodedSpan[] }[] = [];
  /** Why requests were not what the protocol asks for. */
  readonly problems: string[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #server = new AnsweringServer((req, res, text) => {
    if (req.method !== 'POST' || req.url !== '/v1/traces')
      this.problems.push(`${req.method} ${req.url}`);
    if (req.headers['content-type'] !== 'application/json')
      this.problems.push(`content-type ${req.headers['content-type']}`);
    try {
      this.requests.push({ headers: { ...req.headers }, spans: decodeTraceRequest(text) });
    } catch (error) {
      this.problems.push(String(error));
    }
    const reply = this.replies.shift() ?? ACCEPTED;
    for (const listener of this.#listeners) listener();
    if (reply === 'never') return;
    res.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    res.end(reply.body ?? '');
  });

  get url(): string {
    return this.#server.url;
  }

  get spans(): DecodedSpan[] {
    return this.requests.flatMap(({ spans }) => spans);
  }

  async start(): Promise<this> {
    await this.#server.start();
    return this;
  }

  stop(): void {
    this.#server.stop();
  }

  /** Resolves with the first request that is so, past ones included, once it has been seen. */
  async until(isSo: () => boolean): Promise<void> {
    if (isSo()) return;
    await new Promise<void>((resolve) => {
      const look = () => {
        if (!isSo()) return;
        this.#listeners.delete(look);
        resolve();
      };
      this.#listeners.add(look);
    });
  }
}
