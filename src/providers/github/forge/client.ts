import { Octokit } from '@octokit/rest';
import { messageOf, SvcError } from '../../../lib/errors.ts';
import type { LimitedRequest } from '../../../contract/account.ts';
import { isRedirect, notFollowed } from '../../account/redirects.ts';
import { noAccount, type Refusal, type RestServer, refused } from '../../rest/refusal.ts';
import {
  type GraphqlProblem,
  isPartial,
  problemsIn,
  refusalOf,
  withoutGaps,
} from './graphqlProblems.ts';
import { type GithubSettings, splitSlug } from './settings.ts';

/** A type, not an interface, so that it is also a record of request parameters. */
export type Place = { owner: string; repo: string };

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

const refusalIn = (error: unknown): Refusal | null => {
  const { status, response } = Object(error);
  if (typeof status !== 'number' || response === undefined) return null;
  const { data = {}, headers = {} } = Object(response);
  const details = Array.isArray(data.errors)
    ? data.errors.map((one: unknown) => Object(one).message ?? one)
    : [];
  const said = [
    typeof data.message === 'string' ? data.message : messageOf(error),
    ...details.filter((one: unknown) => typeof one === 'string'),
  ];
  return {
    status,
    message: said.join(': '),
    needs: headers['x-accepted-oauth-scopes'] || headers['x-accepted-github-permissions'],
    has: headers['x-oauth-scopes'],
  };
};

/** Asks GitHub, and turns its refusals into errors that say what to do. */
export class GithubClient {
  readonly octokit: Octokit;
  readonly settings: GithubSettings;
  readonly server: RestServer;
  readonly #fetch: typeof globalThis.fetch;
  #self: Promise<string> | undefined;

  constructor(settings: GithubSettings, fetch: typeof globalThis.fetch) {
    this.settings = settings;
    this.#fetch = fetch;
    this.server = {
      host: new URL(settings.web).host,
      tokenSetting: 'plugins.installed.github.config.token',
    };
    this.octokit = new Octokit({
      auth: settings.token,
      baseUrl: settings.api,
      userAgent: 'svc',
      log: SILENT,
      request: { fetch: this.#notRedirected(fetch) },
    });
  }

  /** Octokit takes an answer that only sends elsewhere for a success. */
  #notRedirected(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const response = await fetch(input, init);
      if (isRedirect(response.status)) throw notFollowed(this.server.host, response.status);
      return response;
    };
  }

  /** As the client's own, for an answer of up to this size, bytes. */
  fetchUpTo(maxBytes: number): typeof globalThis.fetch {
    const limited = (input: Parameters<typeof globalThis.fetch>[0], init: RequestInit = {}) =>
      this.#fetch(input, { ...init, maxBytes } as LimitedRequest);
    return this.#notRedirected(limited);
  }

  /** Throws SvcError `bad-argument` for a slug that cannot be one. */
  place(slug: string): Place {
    const place = splitSlug(this.settings, slug);
    if (place) return place;
    throw new SvcError(
      'bad-argument',
      `repo ${JSON.stringify(slug.slice(0, 200))} is not a repository of ${this.server.host}: write <owner>/<name>.`,
    );
  }

  /** Login of the token's account. Asked for once; a failure is asked for again. */
  self(): Promise<string> {
    this.#self ??= this.account();
    this.#self.catch(() => {
      this.#self = undefined;
    });
    return this.#self;
  }

  /** The same, asked for now. */
  async account(): Promise<string> {
    const { data } = await this.run('the account of the token', (octokit) =>
      octokit.rest.users.getAuthenticated(),
    );
    const login: unknown = Object(data).login;
    if (typeof login !== 'string' || login === '') throw noAccount(this.server);
    return login;
  }

  /** Runs requests about `what`. Throws SvcError. */
  async run<T>(what: string, ask: (octokit: Octokit) => Promise<T>): Promise<T> {
    try {
      return await ask(this.octokit);
    } catch (error) {
      throw this.explained(what, error);
    }
  }

  /**
   * Asks a GraphQL question about `what`. An answer from which only parts are missing that may be
   * missing is one, with what GitHub said about them; nulls in lists are left out. Throws SvcError.
   */
  async graphql<T>(
    what: string,
    query: string,
    variables: Record<string, unknown>,
  ): Promise<{ data: T; problems: GraphqlProblem[] }> {
    try {
      return {
        data: withoutGaps(await this.octokit.graphql<T>(query, variables)) as T,
        problems: [],
      };
    } catch (error) {
      const problems = problemsIn(error);
      const { data } = Object(error);
      if (typeof data === 'object' && data !== null && isPartial(problems))
        return { data: withoutGaps(data) as T, problems };
      throw this.explained(what, refusalOf(error));
    }
  }

  explained(what: string, error: unknown): unknown {
    if (error instanceof SvcError) return error;
    // What the account client threw within fetch, wrapped by the client.
    const { cause } = Object(error);
    if (cause instanceof SvcError) return cause;
    const refusal = refusalIn(error);
    return refusal ? refused(this.server, what, refusal, error) : error;
  }
}
