import type { Clock } from '../../../../src/base/time/clock.ts';
import { keepExchange } from '../exchanges.ts';
import {
  type FakeAnswer,
  FakeForgeServer,
  type FakeRequest,
  type WireAnswer,
  type WireRequest,
} from '../fakeForge/server.ts';
import {
  IssueStore,
  iso,
  type StoredComment,
  type StoredIssue,
  type TrackerUser,
} from './issueStore.ts';

const STATES = ['open', 'closed', 'not planned'];
const MOVES = Object.fromEntries(STATES.map((state) => [state, STATES]));
/** Most comments of one page: fewer than are asked for, so that pages are needed. */
const PAGE = 2;

const ok = (body: unknown, status = 200): FakeAnswer => ({ status, body });
const createRefusal = (status: number, message: string): FakeAnswer => ({
  status,
  body: { message },
});

/** GitHub Enterprise's issues. Numbers below 100 are issues, those above pull requests. */
export class FakeGithubIssues extends FakeForgeServer<TrackerUser> {
  readonly store: IssueStore;

  constructor(clock?: Clock) {
    super();
    this.store = new IssueStore(MOVES, clock);
  }

  override respond(request: WireRequest): WireAnswer | null {
    const answer = super.respond(request);
    keepExchange('github', request, answer);
    return answer;
  }

  protected gitPath(): null {
    return null;
  }
  protected gitPlace(): null {
    return null;
  }
  protected findUser(token: string): TrackerUser | null {
    return this.store.users.get(token) ?? null;
  }
  protected apiPath(path: string): string {
    return path.replace(/^\/api\/v3/, '');
  }
  protected limits() {
    return { counted: true, headers: {} };
  }
  protected remove(): void {}

  protected answer({ path, query, user, method, body, web }: FakeRequest<TrackerUser>): FakeAnswer {
    if (!this.store.take())
      return {
        ...createRefusal(429, 'You have exceeded a secondary rate limit.'),
        headers: { 'retry-after': String(this.store.retryAfter) },
      };
    if (!user) return createRefusal(401, 'Bad credentials');
    if (path === '/user') return ok({ login: user.login });
    if (path === '/search/issues') {
      const words = (query.get('q') ?? '')
        .replace(/\b\w+:\S+/g, '')
        .trim()
        .toLowerCase();
      const issues = this.store.search(({ title, body: text }) =>
        `${title} ${text}`.toLowerCase().includes(words),
      );
      return ok({
        total_count: issues.length,
        items: issues.slice(0, Number(query.get('per_page'))).map((one) => this.#issue(web, one)),
      });
    }
    const [, slug, number, sub = ''] =
      /^\/repos\/([^/]+\/[^/]+)\/issues\/(\d+)(\/comments)?$/.exec(path) ?? [];
    const issue = this.store.issues.get(`${slug}#${number}`);
    if (!issue) return createRefusal(404, 'Not Found');
    if (method !== 'GET' && !user.canWrite)
      return createRefusal(403, 'Resource not accessible by personal access token');
    if (sub === '') {
      if (method === 'PATCH')
        issue.status =
          body.state === 'open'
            ? 'open'
            : body.state_reason === 'not_planned'
              ? 'not planned'
              : 'closed';
      return ok(this.#issue(web, issue));
    }
    if (method === 'POST')
      return ok(this.#comment(this.store.addComment(issue, user.login, body.body)), 201);
    const since = query.get('since');
    const all = issue.comments.filter(({ at }) => since === null || at >= Date.parse(since));
    const page = Number(query.get('page') ?? 1);
    const next = new URLSearchParams(query);
    next.set('page', String(page + 1));
    const link =
      page * PAGE < all.length ? { link: `<${web}/api/v3${path}?${next}>; rel="next"` } : {};
    return {
      ...ok(all.slice((page - 1) * PAGE, page * PAGE).map((one) => this.#comment(one))),
      headers: { ...link },
    };
  }

  #association(login: string): string {
    return this.store.isOutsider(login) ? 'NONE' : 'MEMBER';
  }

  #issue(web: string, { key, title, author, body, status, labels }: StoredIssue) {
    const [slug, number] = key.split('#');
    return {
      number: Number(number),
      title,
      body,
      author_association: this.#association(author),
      html_url: `${web}/${slug}/issues/${number}`,
      labels: labels.map((name) => ({ name })),
      state: status === 'open' ? 'open' : 'closed',
      state_reason:
        status === 'not planned' ? 'not_planned' : status === 'closed' ? 'completed' : null,
      ...(Number(number) > 100 ? { pull_request: {} } : {}),
    };
  }

  #comment({ id, author, body, at }: StoredComment) {
    return {
      id: Number(id),
      body,
      user: { login: author },
      created_at: iso(at),
      author_association: this.#association(author),
    };
  }
}
