import type { Clock } from '../../../../src/base/time/clock.ts';
import {
  type FakeAnswer,
  FakeForgeServer,
  type FakeRequest,
  type WireAnswer,
  type WireRequest,
} from '../fakeForge/server.ts';
import { keepExchange } from '../exchanges.ts';
import { createFailedAnswer, missing, partial } from './linearAnswers.ts';
import {
  IssueStore,
  iso,
  type StoredComment,
  type StoredIssue,
  type TrackerUser,
} from './issueStore.ts';

const STATES = ['Backlog', 'In Progress', 'Done'];
/** In Linear every status of a team can be reached from every other. */
const MOVES = Object.fromEntries(STATES.map((state) => [state, STATES]));
const PAGE = 2;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Searches that are taken within a minute. */
const SEARCHES = 30;
const MINUTE_MS = 60_000;
const TEAMS: Readonly<Record<string, string>> = { ENG: 'team-eng', OPS: 'team-ops' };
const findTeam = (key: string): string => TEAMS[key.split('-')[0] ?? ''] ?? '';

type Variables = Record<string, unknown>;
type LinearRequest = { user: TrackerUser; variables: Variables; web: string };

/** A fake of Linear's API: it knows the questions that svc asks, and no others. */
export class FakeLinear extends FakeForgeServer<TrackerUser> {
  /** Issues that are archived, or in the trash, by key. */
  readonly archived = new Map<string, { archivedAt: string; trashed: boolean | null }>();
  readonly store: IssueStore;
  /** Cost of every question, and what is left of it in this hour. */
  readonly complexity = { cost: 10, limit: 250_000, left: 250_000 };

  /** Searches that came, epoch ms. */
  readonly searches: number[] = [];
  /** Broken parts of answers: name of a field → reason. The field is null, with an error beside. */
  readonly broken = new Map<string, string>();

  #refuses = false;
  #answered = false;

  constructor(clock?: Clock) {
    super();
    this.store = new IssueStore(MOVES, clock);
  }

  /** API keys come without a word before them, access tokens of OAuth with one. */
  override respond(request: WireRequest): WireAnswer | null {
    const { authorization = '' } = request.headers;
    const isBearer = authorization.startsWith('Bearer ');
    const isToken = /^(Bearer )?lin_oauth_/.test(authorization);
    const key = isBearer === isToken ? authorization.replace('Bearer ', '') : 'refused';
    this.#answered = false;
    const answer = super.respond({
      ...request,
      headers: { ...request.headers, authorization: `Key ${key}` },
    });
    // What was made to fail is not Linear's doing.
    if (this.#answered && request.url.pathname === '/graphql')
      keepExchange('linear', request, answer);
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
    return path;
  }
  protected remove(): void {}

  protected limits() {
    const resetsAt = String(this.store.clock.now() + this.store.retryAfter * 1000);
    return {
      counted: true,
      headers: {
        'x-complexity': String(this.complexity.cost),
        'x-ratelimit-complexity-limit': String(this.complexity.limit),
        'x-ratelimit-complexity-remaining': String(Math.max(0, this.complexity.left)),
        'x-ratelimit-complexity-reset': resetsAt,
        'x-ratelimit-requests-limit': '5000',
        'x-ratelimit-requests-reset': resetsAt,
        'x-ratelimit-requests-remaining': this.#refuses ? '0' : '4999',
      },
    };
  }

  protected answer({ path, user, body, web }: FakeRequest<TrackerUser>): FakeAnswer {
    this.#answered = true;
    if (path !== '/graphql') return { status: 404, body: 'Not Found' };
    if (!user)
      return createFailedAnswer(
        'Authentication required, not authenticated',
        'AUTHENTICATION_ERROR',
        'authentication error',
        'You need to authenticate.',
        401,
      );
    this.#refuses = !this.store.take();
    if (this.#refuses || this.complexity.left < this.complexity.cost) {
      this.complexity.left = this.complexity.limit;
      return createFailedAnswer(
        'Rate limit exceeded',
        'RATELIMITED',
        'ratelimited',
        'Rate limit exceeded. Only 5000 requests are allowed per 1 hour.',
      );
    }
    this.complexity.left -= this.complexity.cost;
    const query = String(body.query);
    const question: LinearRequest = { user, variables: Object(body.variables), web };
    if (/^\s*mutation/.test(query) && !user.canWrite)
      return createFailedAnswer(
        'Forbidden',
        'FORBIDDEN',
        'forbidden',
        'You do not have write access.',
        403,
      );
    const known: readonly [RegExp, (question: LinearRequest) => FakeAnswer][] = [
      [
        /viewer \{/,
        () =>
          this.#data({
            viewer: {
              id: `id-${user.login}`,
              email: user.email,
              displayName: user.login,
              organization: { name: 'Acme' },
            },
          }),
      ],
      [
        /teams\(/,
        () => {
          const id = TEAMS[String(question.variables.key)];
          return this.#data({ teams: { nodes: id === undefined ? [] : [{ id }] } });
        },
      ],
      [/commentCreate\(/, (one) => this.#comment(one)],
      [/issueUpdate\(/, (one) => this.#update(one)],
      [/searchIssues\(/, ({ variables }) => this.#search(variables)],
      [/issues\(first/, ({ variables }) => this.#found('issues', '', variables)],
      [/comment\(id/, ({ variables }) => this.#oneComment(String(variables.id))],
      [/comments\(first/, (one) => this.#comments(one)],
      [
        /states\(/,
        ({ variables }) =>
          this.#of(variables, (issue) => ({
            id: issue.key,
            team: { states: { nodes: STATES.map((name) => ({ id: `state-${name}`, name })) } },
          })),
      ],
      [/issue\(id/, ({ variables }) => this.#of(variables, (issue) => this.#issue(issue))],
    ];
    const answer = known.find(([form]) => form.test(query))?.[1];
    return answer
      ? answer(question)
      : createFailedAnswer(
          'Cannot query field',
          'GRAPHQL_VALIDATION_FAILED',
          'graphql error',
          'The query is not valid.',
        );
  }

  #data(data: unknown): FakeAnswer {
    return partial(data, this.broken);
  }

  /** Full text, over all teams: `teamId` ranks, and only a filter leaves others out. */
  #search(variables: Variables): FakeAnswer {
    const now = this.store.clock.now();
    if (this.searches.filter((at) => now - at < MINUTE_MS).length >= SEARCHES)
      return createFailedAnswer(
        'Rate limit exceeded',
        'RATELIMITED',
        'ratelimited',
        'Rate limit exceeded. Only 30 requests are allowed per 1 minute.',
      );
    this.searches.push(now);
    return this.#found('searchIssues', String(variables.term), variables);
  }

  #of({ id }: Variables, toJson: (issue: StoredIssue) => unknown): FakeAnswer {
    const issue = this.store.issues.get(String(id));
    return issue ? this.#data({ issue: toJson(issue) }) : missing('Issue');
  }

  #issue({ key, title, author, body, status, labels, links }: StoredIssue) {
    return {
      // People outside of the workspace open issues through an integration.
      creator: this.store.isOutsider(author) ? null : { id: `id-${author}` },
      identifier: key,
      title,
      // An empty description is null.
      description: body === '' ? null : body,
      url: `https://linear.app/acme/issue/${key}/slug`,
      state: { name: status },
      ...(this.archived.get(key) ?? { archivedAt: null, trashed: null }),
      labels: { nodes: labels.map((name) => ({ name })) },
      attachments: { nodes: links.map((url) => ({ url })) },
    };
  }

  #commentJson({ id, author, body, at }: StoredComment) {
    const isOutsider = this.store.isOutsider(author);
    return {
      id,
      body,
      createdAt: iso(at),
      // A comment of an integration has no user.
      user: author === '' || isOutsider ? null : { id: `id-${author}`, displayName: author },
      botActor: author === '' ? { name: null } : null,
      externalUser: isOutsider ? { displayName: author } : null,
    };
  }

  #comments({ variables }: LinearRequest): FakeAnswer {
    const from = Number(variables.after ?? 0);
    // Newest first, as Linear orders them.
    return this.#of(variables, ({ comments }) => {
      const page = comments.toReversed().slice(from, from + PAGE);
      const end = from + page.length;
      const pageInfo = { hasNextPage: end < comments.length, endCursor: String(end) };
      return { comments: { nodes: page.map((one) => this.#commentJson(one)), pageInfo } };
    });
  }

  #oneComment(id: string): FakeAnswer {
    const comment = [...this.store.issues.values()]
      .flatMap(({ comments }) => comments)
      .find((one) => one.id === id);
    return comment ? this.#data({ comment: this.#commentJson(comment) }) : missing('Comment');
  }

  #comment({ user, variables }: LinearRequest): FakeAnswer {
    const { id, issueId, body } = Object(variables.input);
    const issue = this.store.issues.get(issueId);
    if (!issue) return missing('Issue');
    if (!UUID_V4.test(String(id)))
      return createFailedAnswer(
        'Argument Validation Error',
        'INVALID_INPUT',
        'invalid input',
        'id must be a UUID.',
      );
    if (issue.comments.some((one) => one.id === id))
      return createFailedAnswer(
        'Conflict on insert of Comment',
        'INPUT_ERROR',
        'invalid input',
        'A comment with this id exists.',
      );
    return this.#data({
      commentCreate: {
        success: true,
        comment: this.#commentJson(this.store.addComment(issue, user.login, body, { id })),
      },
    });
  }

  #update({ variables }: LinearRequest): FakeAnswer {
    const issue = this.store.issues.get(String(variables.id));
    const state = STATES.find((name) => `state-${name}` === Object(variables.input).stateId);
    if (!issue || !state) return missing(issue ? 'WorkflowState' : 'Issue');
    issue.status = state;
    issue.updatedAt = this.store.clock.now();
    return this.#data({ issueUpdate: { success: true, issue: this.#issue(issue) } });
  }

  #found(name: string, term: string, { first, filter, teamId }: Variables): FakeAnswer {
    const team: unknown = Object(Object(Object(Object(filter).team).id)).eq;
    const issues = this.store
      .search(({ title, body }) => `${title} ${body}`.toLowerCase().includes(term.toLowerCase()))
      .filter(({ key }) => team === undefined || findTeam(key) === team)
      .sort((a, b) => Number(findTeam(b.key) === teamId) - Number(findTeam(a.key) === teamId));
    return this.#data({
      [name]: { nodes: issues.slice(0, Number(first)).map((issue) => this.#issue(issue)) },
    });
  }
}
