import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Clock, systemClock } from '../../../src/lib/clock.ts';
import { answerGit } from './gitHttp.ts';
import { answerGraphql } from './graphql.ts';
import { answerRest } from './rest.ts';
import type { RestAnswer } from './restJson.ts';
import { FakeState, type FakeUser } from './state.ts';

/** One request as it came, and what became of it. */
export interface SeenRequest {
  method: string;
  path: string;
  status: number;
  /** Whether it counts against the limit. */
  counted: boolean;
}

/**
 * What goes wrong with a request: an answer instead of the real one, the connection cut before it is looked at or after
 * it was carried out; null = nothing.
 */
export type Fault = { status: number; headers?: Record<string, string>; body?: unknown } | 'cut-before' | 'cut-after' | null;

const HOUR_MS = 3_600_000;

/** A server that behaves as GitHub Enterprise does, as far as svc uses it. Its address is `baseUrl` of the plugin. */
export class FakeGithub {
  readonly state: FakeState;
  readonly seen: SeenRequest[] = [];
  /** Requests an hour and account. */
  limit = 5_000;
  fault: (request: { method: string; path: string }) => Fault = () => null;
  #server: Server | null = null;
  #spent = { from: 0, used: 0 };

  constructor(clock: Clock = systemClock) {
    this.state = new FakeState(clock);
  }

  async start(): Promise<void> {
    this.#server = createServer((req, res) => void this.#answer(req, res));
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    const address = this.#server?.address();
    if (!address || typeof address === 'string') throw new Error('the fake GitHub is not started');
    return `http://127.0.0.1:${address.port}`;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    this.#server?.close();
    this.state.remove();
  }

  /** Requests that count against the limit. */
  get counted(): number {
    return this.seen.filter(({ counted }) => counted).length;
  }

  /** Requests that write, and were carried out. */
  writes(path: RegExp): number {
    return this.seen.filter((one) => one.method !== 'GET' && path.test(one.path) && one.status < 400).length;
  }

  #userOf(req: IncomingMessage): FakeUser | null {
    const [, kind = '', text = ''] = /^(\w+) (.+)$/.exec(req.headers.authorization ?? '') ?? [];
    const token = kind.toLowerCase() === 'basic' ? Buffer.from(text, 'base64').toString().split(':')[1] : text;
    return this.state.users.get(token ?? '') ?? null;
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', this.url);
    const [, slug, rest] = /^\/([^/]+\/[^/]+)\.git(\/.*)$/.exec(url.pathname) ?? [];
    const user = this.#userOf(req);
    if (slug !== undefined) {
      const repo = this.state.repos.find(({ owner, name }) => `${owner}/${name}`.toLowerCase() === slug.toLowerCase());
      if (!user) return void res.writeHead(401, { 'www-authenticate': 'Basic realm="GitHub"' }).end();
      if (!repo) return void res.writeHead(404).end();
      return answerGit(repo, user, `${rest}${url.search}`, req, res);
    }
    const parts: Buffer[] = [];
    for await (const part of req) parts.push(part);
    const text = Buffer.concat(parts).toString();
    const method = req.method ?? 'GET';
    const path = url.pathname.replace(/^\/api(\/v3)?/, '');
    const fault = this.fault({ method, path });
    if (fault === 'cut-before') {
      this.#note(method, path, 599, false);
      return void res.destroy();
    }
    const answer =
      fault !== null && fault !== 'cut-after'
        ? { body: { message: 'Something went wrong' }, ...fault }
        : this.#carriedOut(req, url, path, text, user);
    this.#send(req, res, method, path, answer, fault === 'cut-after');
  }

  #carriedOut(req: IncomingMessage, url: URL, path: string, text: string, user: FakeUser | null): RestAnswer {
    if (!user) return { status: 401, body: { message: 'Bad credentials' } };
    const now = this.state.clock.now();
    if (now - this.#spent.from >= HOUR_MS) this.#spent = { from: now, used: 0 };
    if (this.#spent.used >= this.limit) return { status: 403, body: { message: 'API rate limit exceeded for user.' } };
    const body = text === '' ? {} : JSON.parse(text);
    if (path === '/graphql') return { status: 200, body: answerGraphql(this.state, this.url, body) };
    const { method = 'GET', headers } = req;
    return answerRest(this.state, {
      method,
      path,
      query: url.searchParams,
      body,
      user,
      accept: headers.accept ?? '',
      web: this.url,
    });
  }

  #send(req: IncomingMessage, res: ServerResponse, method: string, path: string, answer: RestAnswer, cut: boolean): void {
    const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
    const unchanged = method === 'GET' && answer.status === 200 && req.headers['if-none-match'] === etag;
    const status = unchanged ? 304 : answer.status;
    const counted = !unchanged && status !== 599;
    if (counted) this.#spent.used += 1;
    this.#note(method, path, status, counted);
    if (cut) return void res.destroy();
    res.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      etag,
      'x-ratelimit-limit': String(this.limit),
      'x-ratelimit-remaining': String(Math.max(0, this.limit - this.#spent.used)),
      'x-ratelimit-reset': String(Math.ceil((this.#spent.from + HOUR_MS) / 1000)),
      'x-ratelimit-resource': path === '/graphql' ? 'graphql' : 'core',
      ...answer.headers,
    });
    res.end(unchanged ? undefined : body);
  }

  #note(method: string, path: string, status: number, counted: boolean): void {
    this.seen.push({ method, path, status, counted });
  }
}
