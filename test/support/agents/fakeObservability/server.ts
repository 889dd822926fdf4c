import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { keepExchange } from '../../forges/exchanges.ts';
import { answerLoki, type Stream } from './loki.ts';
import { answerTempo, type FakeSpan } from './tempo.ts';

export interface SeenRequest {
  path: string;
  query: Readonly<Record<string, string>>;
}

export interface Reply {
  status: number;
  type: string;
  body: string;
  headers?: Record<string, string>;
}

/** Where Grafana's proxy has its data sources. */
export const PROXY = '/grafana/api/datasources/proxy/uid/logs';

/** A Loki and a Tempo on one port of loopback, also behind a Grafana at {@link PROXY}. */
export class FakeObservability {
  streams: Stream[] = [];
  readonly traces = new Map<string, FakeSpan[]>();
  readonly seen: SeenRequest[] = [];
  /** The header `Authorization` that is wanted; null = none. */
  login: string | null = null;
  /** The tenant that is wanted; null = a server without tenants. */
  tenant: string | null = null;
  /** An answer instead of the real one; `hang`: none at all. */
  fault: Reply | 'hang' | null = null;
  /** Resolves when a client has gone away before it had an answer. */
  readonly gone: Promise<void>;
  readonly #server: Server;
  #left: () => void = () => {};

  constructor() {
    this.gone = new Promise((resolve) => {
      this.#left = resolve;
    });
    this.#server = createServer((req, res) => this.#answer(req, res));
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get url(): string {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null
      ? `http://127.0.0.1:${address.port}`
      : '';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  #reply(
    request: SeenRequest,
    { authorization, 'x-scope-orgid': tenant }: IncomingMessage['headers'],
  ): Reply {
    if (this.login !== null && authorization !== this.login)
      return { status: 401, type: 'application/json', body: '{"message":"Unauthorized"}' };
    if (this.tenant !== null && tenant !== this.tenant)
      return { status: 401, type: 'text/plain; charset=utf-8', body: 'no org id\n' };
    return request.path.startsWith('/loki/')
      ? answerLoki(this.streams, request)
      : answerTempo(this.traces, request);
  }

  #answer(req: IncomingMessage, res: ServerResponse): void {
    const url = new URL(req.url ?? '', 'http://fake');
    const path = url.pathname.startsWith(PROXY) ? url.pathname.slice(PROXY.length) : url.pathname;
    const request = { path, query: Object.fromEntries(url.searchParams) };
    this.seen.push(request);
    if (this.fault === 'hang') return void res.on('close', () => this.#left());
    const { status, type, body, headers = {} } = this.fault ?? this.#reply(request, req.headers);
    res.writeHead(status, { 'content-type': type, ...headers });
    res.end(body);
    const wireRequest = {
      method: req.method ?? '',
      url: new URL(`${path}${url.search}`, 'http://fake'),
      headers: { ...req.headers, 'user-agent': 'svc' },
      text: '',
    };
    const provider = path.startsWith('/loki/') ? 'loki' : 'tempo';
    if (this.fault === null) keepExchange(provider, wireRequest, { status, headers: {}, body });
  }
}
