import type { Clock } from '../../../../src/base/time/clock.ts';
import { keepExchange } from '../exchanges.ts';
import {
  type FakeAnswer,
  FakeForgeServer,
  type FakeRequest,
  type WireAnswer,
  type WireRequest,
} from '../fakeForge/server.ts';
import { JiraWorkflow, MOVES, createRefusal } from './jiraWorkflow.ts';
import {
  IssueStore,
  iso,
  type StoredComment,
  type StoredIssue,
  type TrackerUser,
} from './issueStore.ts';

type Request = FakeRequest<TrackerUser> & { user: TrackerUser };

/** Most comments and issues of one page, whatever is asked for: so that pages are needed. */
const PAGE = 2;

const isExpanded = ({ query }: Request): boolean =>
  query.get('expand')?.split(',').includes('transitions.fields') === true;

const ok = (body: unknown, status = 200): FakeAnswer => ({ status, body });
const GONE = createRefusal(404, 'Issue does not exist or you do not have permission to see it.');

/** The id of the site, which its gateway has in the address. */
export const CLOUD_ID = '11223344-a1b2-4b33-8c44-def123456789';
const GATEWAY = /^\/ex\/jira\/([^/]+)(\/.*)$/;

/** A fake of Jira: Cloud (version 3, documents) or Data Center (version 2, texts). */
export class FakeJira extends FakeForgeServer<TrackerUser> {
  readonly store: IssueStore;
  readonly version: 2 | 3;

  readonly workflow: JiraWorkflow;
  #answered = false;

  constructor(version: 2 | 3, clock?: Clock) {
    super();
    this.version = version;
    this.store = new IssueStore(MOVES, clock);
    this.workflow = new JiraWorkflow(this.store, version);
  }

  override respond(request: WireRequest): WireAnswer | null {
    this.#answered = false;
    const answer = super.respond(request);
    // What was made to fail is not Jira's doing.
    const provider = this.version === 3 ? 'jira' : 'jira-datacenter';
    if (this.#answered) keepExchange(provider, request, answer);
    return answer;
  }

  protected gitPath(): null {
    return null;
  }
  protected gitPlace(): null {
    return null;
  }
  /**
   * Cloud: e-mail and API token by Basic, or a service token alone; Data Center: token by Bearer.
   */
  protected findUser(token: string, name: string): TrackerUser | null {
    const user = this.store.users.get(token);
    if (!user || this.version === 2) return user && name === '' ? user : null;
    return user.email === name || (user.scopes !== undefined && name === '') ? user : null;
  }
  protected apiPath(path: string): string {
    return path;
  }
  protected limits() {
    return { counted: true, headers: {} };
  }
  protected remove(): void {}

  protected answer(request: FakeRequest<TrackerUser>): FakeAnswer {
    this.#answered = true;
    const { user } = request;
    if (this.version === 3 && request.path === '/_edge/tenant_info')
      return ok({ cloudId: CLOUD_ID });
    const [, cloudId, below] = this.version === 3 ? (GATEWAY.exec(request.path) ?? []) : [];
    if (cloudId !== undefined && cloudId !== CLOUD_ID)
      return { status: 404, body: { code: 404, message: 'No message available' } };
    const path = below ?? request.path;
    const prefix = `/rest/api/${this.version}`;
    if (!path.startsWith(`${prefix}/`)) return createRefusal(404, 'null for uri');
    if (!this.store.take())
      return {
        status: 429,
        body: '',
        headers: {
          'retry-after': String(this.store.retryAfter),
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': '2026-01-01T00:00Z',
        },
      };
    // A token with scopes opens at the gateway alone.
    if (!user || (user.scopes !== undefined && cloudId === undefined))
      return { status: 401, body: 'Client must be authenticated to access this resource.' };
    const scope =
      request.method !== 'GET'
        ? 'write:jira-work'
        : path.endsWith('/myself')
          ? 'read:jira-user'
          : 'read:jira-work';
    if (user.scopes?.includes(scope) === false)
      return { status: 401, body: { code: 401, message: 'Unauthorized; scope does not match' } };
    const known = { ...request, user };
    const rest = path.slice(prefix.length);
    if (rest === '/myself') return ok(this.#user(user.login));
    if (rest === '/user') return this.#lookUp(known);
    if (rest === '/search/jql' || rest === '/search') return this.#search(known, rest);
    const property = /^\/comment\/(\d+)\/properties\/([\w.]+)$/.exec(rest);
    if (property) return this.#property(property[1] ?? '', property[2] ?? '');
    const [, key = '', sub = ''] = /^\/issue\/([A-Z0-9_-]+)(\/\w+)?$/.exec(rest) ?? [];
    const issue = this.store.issues.get(key);
    if (!issue) return GONE;
    if (request.method === 'POST' && !user.canWrite)
      return createRefusal(403, 'You do not have the permission to comment on this issue.');
    if (sub === '') return ok(this.#issue(issue));
    if (sub === '/remotelink')
      return ok(issue.links.map((url) => ({ object: { url, title: url } })));
    if (sub === '/transitions')
      return request.method === 'POST'
        ? this.workflow.move(issue, known.body)
        : ok({
            expand: 'transitions',
            transitions: this.workflow.transitions(issue, isExpanded(known)),
          });
    if (sub === '/comment')
      return request.method === 'POST' ? this.#comment(issue, known) : this.#comments(issue, known);
    return GONE;
  }

  #lookUp({ query }: Request): FakeAnswer {
    const users = [...this.store.users.values()];
    const user = users.find(({ login }) =>
      this.version === 3
        ? query.get('accountId') === `acc-${login}`
        : query.get('username') === login || query.get('key') === `key-${login}`,
    );
    if (!user)
      return createRefusal(404, 'Specified user does not exist or you do not have permission.');
    const userJson = this.#user(user.login);
    if (this.version === 3) return ok(userJson);
    return ok({ ...userJson, applicationRoles: { size: user.isCustomer === true ? 0 : 1 } });
  }

  #user(login: string) {
    const accountType = this.store.isOutsider(login) ? 'customer' : 'atlassian';
    const id =
      this.version === 3
        ? { accountId: `acc-${login}`, accountType }
        : { key: `key-${login}`, name: login };
    return { ...id, displayName: login, active: true };
  }

  #issue({ key, title, author, body, status, labels }: StoredIssue) {
    return {
      id: '1',
      key,
      fields: {
        summary: title,
        // An empty description is null.
        description: body === '' ? null : body,
        status: { name: status },
        labels,
        // Fields that a project has not are null.
        components: null,
        reporter: this.#user(author),
      },
    };
  }

  #commentJson({ id, author, body, at }: StoredComment) {
    return {
      id,
      // Anonymous comments, and those of accounts that were erased, have no author.
      ...(author === '' ? {} : { author: this.#user(author) }),
      body,
      created: iso(at).replace('Z', '+0000'),
      updated: iso(at),
    };
  }

  #comments({ comments }: StoredIssue, { query }: Request): FakeAnswer {
    const startAt = Number(query.get('startAt') ?? 0);
    const page = comments.slice(startAt, startAt + PAGE);
    return ok({
      startAt,
      maxResults: PAGE,
      total: comments.length,
      comments: page.map((one) => this.#commentJson(one)),
    });
  }

  #comment(issue: StoredIssue, { body, user }: Request): FakeAnswer {
    const isDocument = Object(body.body).type === 'doc' && Object(body.body).version === 1;
    if (this.version === 3 && !isDocument)
      return createRefusal(400, '', { comment: 'Comment body is not valid!' });
    if (this.version === 2 && typeof body.body !== 'string')
      return createRefusal(400, '', { comment: 'Operation value must be a string' });
    const properties = Array.isArray(body.properties)
      ? body.properties.map(({ key, value }) => [key, value])
      : [];
    const comment = this.store.addComment(issue, user.login, body.body, {
      properties: Object.fromEntries(properties),
    });
    return ok(this.#commentJson(comment), 201);
  }

  #property(id: string, name: string): FakeAnswer {
    const comment = [...this.store.issues.values()]
      .flatMap(({ comments }) => comments)
      .find((one) => one.id === id);
    const value = comment?.properties[name];
    return value === undefined
      ? createRefusal(404, `The property ${name} does not exist.`)
      : ok({ key: name, value });
  }

  #search({ query }: Request, path: string): FakeAnswer {
    if (this.version === 3 && path === '/search')
      return createRefusal(
        410,
        'The requested API has been removed. Please use /rest/api/3/search/jql.',
      );
    const jql = query.get('jql') ?? '';
    const [where = ''] = jql.split(/ ?ORDER BY/);
    if (this.version === 3 && where === '')
      return createRefusal(
        400,
        'Unbounded JQL queries are not allowed here. Please add a search restriction.',
      );
    const [, words] = /^text ~ "((?:[^"\\]|\\.)*)"$/.exec(where) ?? [];
    const [, key] = /^key = "([^"]*)"$/.exec(where) ?? [];
    if (words === undefined && key === undefined && where !== 'updated >= -90d' && where !== '')
      return createRefusal(400, `Error in the JQL Query: ${where}`);
    if (key !== undefined && !this.store.issues.has(key))
      return createRefusal(400, `An issue with key '${key}' does not exist for field 'key'.`);
    const searchText = words?.toLowerCase() ?? '';
    const matches = this.store.search((issue) =>
      key === undefined
        ? JSON.stringify([issue.title, issue.body]).toLowerCase().includes(searchText)
        : issue.key === key,
    );
    const startAt = Number(
      this.version === 3 ? (query.get('nextPageToken') ?? 0) : (query.get('startAt') ?? 0),
    );
    const size = Math.min(PAGE, Number(query.get('maxResults') ?? 50));
    const issues = matches.slice(startAt, startAt + size).map((issue) => this.#issue(issue));
    const end = startAt + issues.length;
    if (this.version === 2) return ok({ startAt, maxResults: size, total: matches.length, issues });
    return ok(
      end < matches.length
        ? { issues, nextPageToken: String(end), isLast: false }
        : { issues, isLast: true },
    );
  }
}
