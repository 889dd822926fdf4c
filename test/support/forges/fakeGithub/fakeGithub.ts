import { type Clock, systemClock } from '../../../../src/base/time/clock.ts';
import {
  type FakeAnswer,
  FakeForgeServer,
  type FakeRequest,
  type WireAnswer,
  type WireRequest,
} from '../fakeForge/server.ts';
import { keepExchange } from '../exchanges.ts';
import { answerApp } from './apps.ts';
import { answerGraphql } from './graphql.ts';
import { answerRest } from './rest.ts';
import { type FakeRepo, FakeState, type FakeUser } from './state.ts';

const HOUR_MS = 3_600_000;
/** Requests that make content: GitHub takes so many in a minute. */
const WRITES_A_MINUTE = 80;

/** A fake of GitHub Enterprise, as far as svc uses it. Its address is `baseUrl` of the plugin. */
export class FakeGithub extends FakeForgeServer<FakeUser> {
  readonly state: FakeState;
  /** Requests an hour and account. */
  limit = 5_000;
  #spent = { from: 0, used: 0 };
  #answered = false;
  #writes: number[] = [];

  constructor(clock: Clock = systemClock) {
    super();
    this.state = new FakeState(clock);
  }

  override respond(request: WireRequest): WireAnswer | null {
    this.#answered = false;
    const answer = super.respond(request);
    // What was made to fail is not GitHub's doing.
    const isGraphql = request.url.pathname.endsWith('/graphql');
    if (this.#answered) keepExchange(isGraphql ? 'github-graphql' : 'github', request, answer);
    return answer;
  }

  protected gitPath(path: string): { slug: string; rest: string } | null {
    const [, slug, rest] = /^\/([^/]+\/[^/]+)\.git(\/.*)$/.exec(path) ?? [];
    return slug === undefined || rest === undefined ? null : { slug, rest };
  }

  protected gitPlace(slug: string): FakeRepo | null {
    return (
      this.state.repos.find(
        ({ owner, name }) => `${owner}/${name}`.toLowerCase() === slug.toLowerCase(),
      ) ?? null
    );
  }

  protected override gitMoved(slug: string): string | null {
    const repo = this.state.renamed.get(slug.toLowerCase());
    return repo ? `${repo.owner}/${repo.name}` : null;
  }

  protected findUser(token: string, name: string): FakeUser | null {
    const minted = this.state.tokens.get(token);
    const isLive = minted !== undefined && this.state.clock.now() < minted.endsAt;
    // Beside a token of an app GitHub wants this name for git, and none for the API.
    if (minted) return isLive && (name === '' || name === 'x-access-token') ? minted.user : null;
    return this.state.users.get(token) ?? null;
  }

  protected apiPath(path: string): string {
    return path.replace(/^\/api(\/v3)?/, '');
  }

  protected answer(request: FakeRequest<FakeUser>): FakeAnswer {
    this.#answered = true;
    const { user, path, body, web } = request;
    const asApp = answerApp(this.state, request);
    if (asApp) return asApp;
    if (!user) return { status: 401, body: { message: 'Bad credentials' } };
    const now = this.state.clock.now();
    if (now - this.#spent.from >= HOUR_MS) this.#spent = { from: now, used: 0 };
    if (this.#spent.used >= this.limit) {
      const message = 'API rate limit exceeded for user.';
      // GraphQL reports it with a status that means success.
      return path === '/graphql'
        ? { status: 200, body: { errors: [{ type: 'RATE_LIMITED', message }] } }
        : { status: 403, body: { message } };
    }
    if (request.method !== 'GET' && path !== '/graphql' && !this.#mayWrite(now))
      return {
        status: 403,
        headers: { 'retry-after': '60' },
        body: {
          message:
            'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
          documentation_url: 'https://docs.github.com/rest',
        },
      };
    if (path === '/graphql') {
      return {
        status: 200,
        body: answerGraphql(this.state, web, user, { ...body, query: String(body.query) }),
      };
    }
    return this.#redirect(request) ?? answerRest(this.state, { ...request, user });
  }

  /** GitHub's secondary limit for what makes content. */
  #mayWrite(now: number): boolean {
    this.#writes = this.#writes.filter((at) => now - at < 60_000);
    if (this.#writes.length >= WRITES_A_MINUTE) return false;
    this.#writes.push(now);
    return true;
  }

  /** Of the old name of a repository: 301 for GET, 307 for everything else, both with a body. */
  #redirect({ method, path, query, web }: FakeRequest<FakeUser>): FakeAnswer | null {
    const [, slug = '', rest = ''] = /^\/repos\/([^/]+\/[^/]+)(\/.*)?$/.exec(path) ?? [];
    const repo = this.state.renamed.get(slug.toLowerCase());
    if (!repo) return null;
    const search = query.size === 0 ? '' : `?${query}`;
    const id = this.state.repos.indexOf(repo) + 1;
    const location = `${this.movesTo ?? web}/api/v3/repositories/${id}${rest}${search}`;
    const [status, message] =
      method === 'GET' ? [301, 'Moved Permanently'] : [307, 'Temporary Redirect'];
    return {
      status,
      body: { message, url: location, documentation_url: 'https://docs.github.com/rest' },
      headers: { location },
    };
  }

  protected limits({ path, notModified }: { path: string; notModified: boolean }) {
    if (!notModified) this.#spent.used += 1;
    const headers = {
      date: new Date(this.state.clock.now()).toUTCString(),
      'x-ratelimit-limit': String(this.limit),
      'x-ratelimit-remaining': String(Math.max(0, this.limit - this.#spent.used)),
      'x-ratelimit-reset': String(Math.ceil((this.#spent.from + HOUR_MS) / 1000)),
      'x-ratelimit-resource': path === '/graphql' ? 'graphql' : 'core',
    };
    return { counted: !notModified, headers };
  }

  protected remove(): void {
    this.state.remove();
  }
}
