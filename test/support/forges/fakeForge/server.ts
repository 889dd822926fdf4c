import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { answerGit } from './gitHttp.ts';
import type { GitPlace } from './gitStore.ts';

export interface SeenRequest {
  method: string;
  /** Below the API's address, as it was sent: not decoded, without the query. */
  path: string;
  status: number;
  counted: boolean;
}

/**
 * What goes wrong with a request: an answer instead of the real one, the connection cut before it
 * is handled or after it was carried out; null = nothing.
 */
export type Fault =
  | { status: number; headers?: Record<string, string>; body?: unknown }
  | 'cut-before'
  | 'cut-after'
  | null;

export interface FakeAnswer {
  status: number;
  /** A string goes out as it is, everything else as JSON. */
  body: unknown;
  headers?: Record<string, string>;
}

export interface FakeRequest<User> {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  accept: string;
  /** As it came, without its kind; empty = none. */
  token: string;
  /** null: the token belongs to no account. */
  user: User | null;
  web: string;
}

export interface WireRequest {
  method: string;
  url: URL;
  /** Names in lower case. */
  headers: IncomingHttpHeaders;
  text: string;
}

export interface WireAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | null;
}

/** A forge over HTTP: its API, and git. What is the same for all of them. */
export abstract class FakeForgeServer<User extends { login: string }> {
  readonly seen: SeenRequest[] = [];
  /** Requests of git: service, the repository's name as it was asked for, and the status. */
  readonly seenGit: { service: string; slug: string; status: number }[] = [];
  fault: (request: { method: string; path: string }) => Fault = () => null;
  /** Address of another server that redirects lead to; null = its own. */
  movesTo: string | null = null;
  #server: Server | null = null;

  /**
   * The slug in the path of a git request, and the rest of the path; null = it is one of the API.
   */
  protected abstract gitPath(path: string): { slug: string; rest: string } | null;
  protected abstract gitPlace(slug: string, user: User): GitPlace | null;
  /** The present name of a repository that was renamed; null = it was not. */
  protected gitMoved(_slug: string): string | null {
    return null;
  }
  /** `name`: the user name beside the token; empty where it comes alone. */
  protected abstract findUser(token: string, name: string): User | null;
  /** The path below the API's address. */
  protected abstract apiPath(path: string): string;
  protected abstract answer(request: FakeRequest<User>): FakeAnswer;
  /** Notes an answered request. `counted`: false for "not modified" and for one that was cut. */
  protected abstract limits(request: { path: string; notModified: boolean }): {
    counted: boolean;
    headers: Record<string, string>;
  };
  protected abstract remove(): void;

  async start(): Promise<void> {
    this.#server = createServer((req, res) => void this.#take(req, res));
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    const address = this.#server?.address();
    if (!address || typeof address === 'string') throw new Error('the fake forge is not started');
    return `http://127.0.0.1:${address.port}`;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    this.#server?.close();
    this.remove();
  }

  get counted(): number {
    return this.seen.filter(({ counted }) => counted).length;
  }

  /** Requests that write, and were carried out. */
  writes(path: RegExp): number {
    return this.seen.filter(
      (one) => one.method !== 'GET' && path.test(one.path) && one.status < 400,
    ).length;
  }

  #findUser(headers: WireRequest['headers']): User | null {
    const own = headers['private-token'];
    if (typeof own === 'string') return this.findUser(own, '');
    const [, kind = '', text = ''] = /^(\w+) (.+)$/.exec(headers.authorization ?? '') ?? [];
    if (kind.toLowerCase() !== 'basic') return this.findUser(text, '');
    const [name = '', ...token] = Buffer.from(text, 'base64').toString().split(':');
    return this.findUser(token.join(':'), name);
  }

  async #take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', this.url);
    const user = this.#findUser(req.headers);
    const git = this.gitPath(url.pathname);
    if (git) {
      const service = /git-(?:upload|receive)-pack/.exec(req.url ?? '')?.[0] ?? '';
      res.on('finish', () =>
        this.seenGit.push({ service, slug: git.slug, status: res.statusCode }),
      );
      if (!user) return void res.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      const moved = this.gitMoved(git.slug);
      if (moved !== null) {
        return void res
          .writeHead(301, {
            location: `${this.movesTo ?? this.url}/${moved}.git${git.rest}${url.search}`,
          })
          .end();
      }
      const place = this.gitPlace(git.slug, user);
      if (!place) return void res.writeHead(404).end();
      return answerGit(place, user, `${git.rest}${url.search}`, req, res);
    }
    const parts: Buffer[] = [];
    for await (const part of req) parts.push(part);
    const { method = 'GET', headers } = req;
    const text = Buffer.concat(parts).toString();
    const reply = this.respond({ method, url, headers, text });
    if (!reply) return void res.destroy();
    res.writeHead(reply.status, reply.headers);
    res.end(reply.body);
  }

  /** Answers a request of the API; null = the connection is cut. */
  respond(wireRequest: WireRequest): WireAnswer | null {
    const { method, url, headers, text } = wireRequest;
    const user = this.#findUser(headers);
    const path = this.apiPath(url.pathname);
    const fault = this.fault({ method, path });
    if (fault === 'cut-before') {
      this.seen.push({ method, path, status: 599, counted: false });
      return null;
    }
    const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
    const body =
      text === '' ? {} : isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);
    const request = {
      method,
      path,
      query: url.searchParams,
      body,
      accept: headers.accept ?? '',
      token: /^\w+ (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '',
      user,
      web: url.origin,
    };
    const answer =
      fault !== null && fault !== 'cut-after'
        ? { body: { message: 'Something went wrong' }, ...fault }
        : this.answer(request);
    return this.#wired(wireRequest, path, answer, fault === 'cut-after');
  }

  #wired(
    { method, headers: requestHeaders }: WireRequest,
    path: string,
    answer: FakeAnswer,
    cut: boolean,
  ): WireAnswer | null {
    const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
    const notModified =
      method === 'GET' && answer.status === 200 && requestHeaders['if-none-match'] === etag;
    const status = notModified ? 304 : answer.status;
    const { counted, headers } = this.limits({ path, notModified });
    this.seen.push({ method, path, status, counted });
    if (cut) return null;
    return {
      status,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        etag,
        ...headers,
        ...answer.headers,
      },
      body: notModified || status === 204 ? null : body,
    };
  }
}
