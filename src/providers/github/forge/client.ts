import type { Octokit } from '@octokit/rest';
import { SvcError } from '../../../base/errors/errors.ts';
import type { LimitedRequest } from '../../../contract/forge/account.ts';
import { answerHealthcheck } from '../../rest/answers.ts';
import { describeBody, expectAnsweredObject } from '../../rest/expectAnsweredObject.ts';
import { readNextLink } from '../../rest/readNextLink.ts';
import {
  createUnreadError,
  createNoAccountError,
  type RestServer,
  createRefusalError,
} from '../../rest/refusal.ts';
import type { Credentials } from '../app/credentials.ts';
import {
  type GraphqlProblem,
  isPartialAnswer,
  isUnknownField,
  readGraphqlProblems,
  toGraphqlRefusal,
  removeGraphqlGaps,
} from './graphqlProblems.ts';
import type { NumberField } from './queries.ts';
import {
  createGithubFetch,
  createGithubOctokit,
  readGithubRefusal,
  UnusableBody,
} from './octokit.ts';
import { type GithubSettings, splitGithubSlug } from './settings.ts';

/** A type, not an interface, so that it is also a record of request parameters. */
export type RepoPlace = { owner: string; repo: string };

/** Most pages of one list that are read. */
const MAX_PAGES = 50;
const PAGE = 100;

/** What Octokit answers for one page; its data may be anything. */
interface ListPage {
  data: unknown;
  status: number;
  headers: { link?: string | undefined };
}

export class GithubClient {
  readonly octokit: Octokit;
  readonly settings: GithubSettings;
  readonly server: RestServer;
  readonly #credentials: Credentials;
  readonly #fetch: typeof globalThis.fetch;
  #self: Promise<string> | undefined;
  #number: NumberField = 'fullDatabaseId';

  /** `fetch`: the account client's. */
  constructor(settings: GithubSettings, credentials: Credentials, fetch: typeof globalThis.fetch) {
    this.settings = settings;
    this.#credentials = credentials;
    this.#fetch = fetch;
    this.server = {
      host: new URL(settings.web).host,
      tokenSetting: `plugins.installed.github.config.${credentials.app ? 'privateKey' : 'token'}`,
    };
    this.octokit = createGithubOctokit(settings.api, this.#signRequests(fetch));
  }

  #signRequests(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return createGithubFetch(this.server.host, this.#credentials, fetch);
  }

  /** The client's `fetch` for answers of up to this many bytes. */
  fetchUpTo(maxBytes: number): typeof globalThis.fetch {
    const fetchInTime = (input: Parameters<typeof globalThis.fetch>[0], init: RequestInit = {}) =>
      this.#fetch(input, { ...init, maxBytes } as LimitedRequest);
    return this.#signRequests(fetchInTime);
  }

  /** Throws SvcError `bad-argument` for an invalid slug. */
  place(slug: string): RepoPlace {
    const place = splitGithubSlug(this.settings, slug);
    if (place) return place;
    throw new SvcError(
      'bad-argument',
      `repo ${JSON.stringify(slug.slice(0, 200))} is not a repository of ${this.server.host}: write <owner>/<name>.`,
    );
  }

  /** Login of the account that svc acts as. Asked for once; a failure is asked for again. */
  self(): Promise<string> {
    this.#self ??= this.account();
    this.#self.catch(() => {
      this.#self = undefined;
    });
    return this.#self;
  }

  /** As `self`, but always asks. */
  async account(): Promise<string> {
    if (this.#credentials.app) return this.#credentials.app.account();
    const { data } = await this.run('the account of the token', (octokit) =>
      octokit.rest.users.getAuthenticated(),
    ).catch((error: unknown) => {
      throw this.#ofInstallation(error) ?? error;
    });
    const login: unknown = Object(data).login;
    if (typeof login !== 'string' || login === '') throw createNoAccountError(this.server);
    return login;
  }

  /**
   * What to do where the token is that of an installation, which belongs to no account; null = it
   * is of another kind.
   */
  #ofInstallation(error: unknown): SvcError | null {
    if (!(error instanceof SvcError) || error.data.status !== 403) return null;
    if (!/not accessible by integration/i.test(String(error.data.said))) return null;
    return new SvcError(
      'config-invalid',
      `${this.server.tokenSetting} is the token of a GitHub App's installation (ghs_…): it belongs to no account and expires within an hour. Set appId, installationId and privateKey of the app instead of token, so that svc gets such tokens itself.`,
      { data: error.data, cause: error },
    );
  }

  async health(): Promise<{ ok: boolean; detail: string }> {
    const { app } = this.#credentials;
    return app ? app.health() : answerHealthcheck(await this.account());
  }

  readToken(): Promise<string> {
    return this.#credentials.readToken();
  }

  /** Another token in place of one that git was refused with; null = there is no other. */
  renewToken(refusedToken: string): Promise<string | null> {
    return this.#credentials.renewToken(refusedToken);
  }

  /** The account that an app is installed for; null = svc acts as a person's account. */
  async appOwner(): Promise<string | null> {
    return (await this.#credentials.app?.owner()) ?? null;
  }

  /** Runs requests about `what`. Throws SvcError. */
  async run<T>(what: string, ask: (octokit: Octokit) => Promise<T>): Promise<T> {
    try {
      return await ask(this.octokit);
    } catch (error) {
      throw this.explainError(what, error);
    }
  }

  /** Gets one object; any other answer is refused. Throws SvcError. */
  async get<T extends object>(
    what: string,
    ask: (octokit: Octokit) => Promise<{ data: T; status: number }>,
  ): Promise<T> {
    const { data, status } = await this.run(what, ask);
    return expectAnsweredObject(this.server, what, data, status);
  }

  /**
   * All items of a list as GitHub gives them, up to the 50th page or `most` items; a page that
   * leads back to one that was read is the last. Throws SvcError `unreachable` for what is not a
   * list.
   */
  async list<T>(
    what: string,
    ask: (octokit: Octokit, page: { page: number; per_page: number }) => Promise<ListPage>,
    most = MAX_PAGES * PAGE,
  ): Promise<T[]> {
    const items: T[] = [];
    const seenIds = new Set<string>();
    for (let page = 1; page <= MAX_PAGES && items.length < most; page += 1) {
      const { data, status, headers } = await this.run(what, (octokit) =>
        ask(octokit, { page, per_page: PAGE }),
      );
      if (!Array.isArray(data))
        throw createUnreadError(this.server, what, 'something other than a list', status);
      items.push(...data);
      const next = readNextLink(new Headers({ link: headers.link ?? '' }));
      if (next === null || seenIds.has(next)) break;
      seenIds.add(next);
    }
    return items.slice(0, most);
  }

  /**
   * Asks a GraphQL question about `what`. An answer is accepted if only optional parts are missing;
   * GitHub's words about them come with it, and nulls in lists are left out. Throws SvcError.
   */
  async graphql<T>(
    what: string,
    query: string,
    variables: Record<string, unknown>,
  ): Promise<{ data: T; problems: GraphqlProblem[] }> {
    try {
      const data = await this.octokit.graphql<T>(query, variables);
      const answer = expectAnsweredObject(this.server, what, data);
      return { data: removeGraphqlGaps(answer) as T, problems: [] };
    } catch (error) {
      const problems = readGraphqlProblems(error);
      const { data } = Object(error);
      if (typeof data === 'object' && data !== null && isPartialAnswer(problems))
        return { data: removeGraphqlGaps(data) as T, problems };
      throw this.explainError(what, toGraphqlRefusal(error));
    }
  }

  /**
   * As `graphql`, with the field for the numbers of comments: a server that does not know the newer
   * field is asked for the older one from then on.
   */
  async askWithNumbers<T>(
    what: string,
    query: (number: NumberField) => string,
    variables: Record<string, unknown>,
  ): Promise<{ data: T; problems: GraphqlProblem[] }> {
    try {
      return await this.graphql<T>(what, query(this.#number), variables);
    } catch (error) {
      const isOld = error instanceof SvcError && isUnknownField(error.cause, this.#number);
      if (!isOld || this.#number === 'databaseId') throw error;
      this.#number = 'databaseId';
      return this.graphql<T>(what, query(this.#number), variables);
    }
  }

  explainError(what: string, error: unknown): unknown {
    if (error instanceof SvcError) return error;
    // The account client's own error, which Octokit has wrapped.
    const { cause } = Object(error);
    if (cause instanceof SvcError) return cause;
    if (error instanceof UnusableBody)
      return createUnreadError(
        this.server,
        what,
        `${describeBody(error.body)} instead of an object`,
        error.status,
      );
    const refusal = readGithubRefusal(error);
    return refusal ? createRefusalError(this.server, what, refusal, error) : error;
  }
}
