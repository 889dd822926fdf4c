import { Octokit } from '@octokit/rest';
import { messageOf, SvcError } from '../../lib/errors.ts';
import { type Refusal, type RestServer, refused } from '../rest/refusal.ts';
import { type GithubSettings, splitSlug } from './settings.ts';

/** A type, not an interface, so that it is also a record of request parameters. */
export type Place = { owner: string; repo: string };

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

const refusalIn = (error: unknown): Refusal | null => {
  const { status, response } = Object(error);
  if (typeof status !== 'number' || response === undefined) return null;
  const { data = {}, headers = {} } = Object(response);
  const details = Array.isArray(data.errors) ? data.errors.map((one: unknown) => Object(one).message ?? one) : [];
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
  #self: Promise<string> | undefined;

  constructor(settings: GithubSettings, fetch: typeof globalThis.fetch) {
    this.settings = settings;
    this.server = { host: new URL(settings.web).host, tokenSetting: 'plugins.installed.github.config.token' };
    this.octokit = new Octokit({
      auth: settings.token,
      baseUrl: settings.api,
      userAgent: 'svc',
      log: SILENT,
      request: { fetch },
    });
  }

  /** Throws SvcError `bad-argument` for a slug that cannot be one. */
  place(slug: string): Place {
    const place = splitSlug(this.settings, slug);
    if (place) return place;
    throw new SvcError(
      'bad-argument',
      `repo ${JSON.stringify(slug.slice(0, 200))} is no repository of ${this.server.host}: write <owner>/<name>.`,
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
  account(): Promise<string> {
    return this.run('the account of the token', async () => (await this.octokit.rest.users.getAuthenticated()).data.login);
  }

  /** Runs requests about `what`. Throws SvcError. */
  async run<T>(what: string, ask: (octokit: Octokit) => Promise<T>): Promise<T> {
    try {
      return await ask(this.octokit);
    } catch (error) {
      throw this.explained(what, error);
    }
  }

  explained(what: string, error: unknown): unknown {
    if (error instanceof SvcError) return error;
    // What the door threw within fetch, wrapped by the client.
    const { cause } = Object(error);
    if (cause instanceof SvcError) return cause;
    const refusal = refusalIn(error);
    return refusal ? refused(this.server, what, refusal, error) : error;
  }
}
