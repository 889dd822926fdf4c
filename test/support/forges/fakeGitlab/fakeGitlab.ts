import { type Clock, systemClock } from '../../../../src/base/time/clock.ts';
import { keepExchange } from '../exchanges.ts';
import {
  type FakeAnswer,
  FakeForgeServer,
  type FakeRequest,
  type WireAnswer,
  type WireRequest,
} from '../fakeForge/server.ts';
import { answerApi } from './api.ts';
import { type FakeProject, FakeState, type FakeUser } from './state.ts';

const MINUTE_MS = 60_000;

/** A fake of GitLab, as far as svc uses it. Its address is `baseUrl` of the plugin. */
export class FakeGitlab extends FakeForgeServer<FakeUser> {
  readonly state: FakeState;
  /** Requests a minute and account. */
  limit = 2_000;
  /** A proxy in front of it drops Link headers. */
  dropsLinks = false;
  #answered = false;
  #spent = { minute: 0, used: 0 };

  constructor(clock: Clock = systemClock) {
    super();
    this.state = new FakeState(clock);
  }

  override respond(request: WireRequest): WireAnswer | null {
    this.#answered = false;
    const answer = super.respond(request);
    // What was made to fail is not the forge's doing.
    if (this.#answered) keepExchange('gitlab', request, answer);
    return answer;
  }

  protected gitPath(path: string): { slug: string; rest: string } | null {
    const [, slug, rest] = /^\/(.+)\.git(\/.*)$/.exec(path) ?? [];
    return slug === undefined || rest === undefined || path.startsWith('/api/')
      ? null
      : { slug, rest };
  }

  protected gitPlace(slug: string, { login }: FakeUser): FakeProject | null {
    const project = this.state.projects.find(
      ({ path }) => path.toLowerCase() === slug.toLowerCase(),
    );
    return project && (project.visibility === 'public' || project.members.has(login))
      ? project
      : null;
  }

  protected override gitMoved(slug: string): string | null {
    return this.state.projects.find(({ formerPaths }) => formerPaths.includes(slug))?.path ?? null;
  }

  protected findUser(token: string): FakeUser | null {
    return this.state.users.get(token) ?? null;
  }

  protected apiPath(path: string): string {
    return path.replace(/^\/api\/v4/, '');
  }

  protected answer(request: FakeRequest<FakeUser>): FakeAnswer {
    this.#answered = true;
    const minute = Math.floor(this.state.clock.now() / MINUTE_MS);
    if (minute !== this.#spent.minute) this.#spent = { minute, used: 0 };
    if (this.#spent.used >= this.limit) return this.#throttled();
    const { user } = request;
    if (!user) return { status: 401, body: { message: '401 Unauthorized' } };
    const answer = answerApi(this.state, { ...request, user });
    const { link = '', ...others } = answer.headers ?? {};
    return { ...answer, headers: this.dropsLinks || link === '' ? others : { ...others, link } };
  }

  /** Every request counts, those that are answered by "not modified" too. */
  protected limits() {
    this.#spent.used += 1;
    return {
      counted: true,
      headers: {
        'ratelimit-name': 'throttle_authenticated_api',
        'ratelimit-limit': String(this.limit),
        'ratelimit-observed': String(this.#spent.used),
        'ratelimit-remaining': String(Math.max(0, this.limit - this.#spent.used)),
        'ratelimit-reset': String(this.#resetsAt / 1000),
      },
    };
  }

  protected remove(): void {
    this.state.remove();
  }

  get #resetsAt(): number {
    return (Math.floor(this.state.clock.now() / MINUTE_MS) + 1) * MINUTE_MS;
  }

  #throttled(): FakeAnswer {
    const wait = Math.ceil((this.#resetsAt - this.state.clock.now()) / 1000);
    const headers = { 'content-type': 'text/plain', 'retry-after': String(wait) };
    return {
      status: 429,
      body: 'Retry later\n',
      headers: { ...headers, 'ratelimit-resettime': new Date(this.#resetsAt).toUTCString() },
    };
  }
}
