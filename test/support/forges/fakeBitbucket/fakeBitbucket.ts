import { type Clock, systemClock } from '../../../../src/base/time/clock.ts';
import { keepExchange } from '../exchanges.ts';
import {
  type FakeAnswer,
  FakeForgeServer,
  type FakeRequest,
  type WireAnswer,
  type WireRequest,
} from '../fakeForge/server.ts';
import { createRefusal } from './json.ts';
import { shaped } from './query.ts';
import { answerRest } from './rest.ts';
import { type FakeRepo, FakeState, type FakeUser } from './state.ts';

const HOUR_MS = 3_600_000;
const GIT_NAMES = {
  'api-token': 'x-bitbucket-api-token-auth',
  'access-token': 'x-token-auth',
} as const;

/** A fake of Bitbucket Cloud, as far as svc uses it. Its address is `baseUrl` of the plugin. */
export class FakeBitbucket extends FakeForgeServer<FakeUser> {
  readonly state: FakeState;
  /** Requests an hour and account. */
  limit = 1_000;
  #answered = false;
  #spent = { from: 0, used: 0 };
  #asks: FakeUser | null = null;

  constructor(clock: Clock = systemClock) {
    super();
    this.state = new FakeState(clock);
  }

  override respond(request: WireRequest): WireAnswer | null {
    this.#answered = false;
    const answer = super.respond(request);
    // What was made to fail is not the forge's doing.
    if (this.#answered) keepExchange('bitbucket', request, answer);
    return answer;
  }

  protected gitPath(path: string): { slug: string; rest: string } | null {
    const [, slug, rest] = /^\/([^/]+\/[^/]+)\.git(\/.*)$/.exec(path) ?? [];
    return slug === undefined || rest === undefined ? null : { slug, rest };
  }

  protected gitPlace(slug: string): FakeRepo | null {
    return this.state.find(slug) ?? null;
  }

  /**
   * The API wants the e-mail beside an API token and nothing beside an access token; git wants a
   * name for both.
   */
  protected findUser(token: string, name: string): FakeUser | null {
    const user = this.state.users.get(token);
    if (!user) return null;
    const names = user.kind === 'api-token' ? [user.email] : [''];
    return [...names, GIT_NAMES[user.kind]].includes(name) ? user : null;
  }

  protected apiPath(path: string): string {
    return path.replace(/^\/2\.0(?=\/)/, '');
  }

  protected answer(request: FakeRequest<FakeUser>): FakeAnswer {
    this.#answered = true;
    const { user } = request;
    this.#asks = user;
    if (!user)
      return createRefusal(401, 'Token is invalid, expired, or not supported for this endpoint.');
    const now = this.state.clock.now();
    if (now - this.#spent.from >= HOUR_MS) this.#spent = { from: now, used: 0 };
    if (this.#spent.used >= this.limit)
      return createRefusal(429, 'Rate limit for this resource has been exceeded');
    return shaped(request, answerRest(this.state, { ...request, user }));
  }

  /** Only access tokens are shown their limit, and never how much of it is left. */
  protected limits({ notModified }: { notModified: boolean }) {
    this.#spent.used += 1;
    const isNear = this.limit - this.#spent.used < this.limit / 5;
    const headers: Record<string, string> =
      this.#asks?.kind === 'access-token'
        ? {
            'x-ratelimit-limit': String(this.limit),
            'x-ratelimit-resource': 'api',
            'x-ratelimit-nearlimit': String(isNear),
          }
        : {};
    return { counted: !notModified, headers };
  }

  protected remove(): void {
    this.state.remove();
  }
}
