import { Octokit } from '@octokit/rest';
import { messageOf, SvcError } from '../../lib/errors.ts';
import { type GithubSettings, splitSlug } from './settings.ts';

/** A type, not an interface, so that it is also a record of request parameters. */
export type Place = { owner: string; repo: string };

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** What GitHub answered instead of what was wanted, as far as we look at it. */
interface Refusal {
  status: number;
  message: string;
  headers: Record<string, string>;
}

const refusalIn = (error: unknown): Refusal | null => {
  const { status, response } = Object(error);
  if (typeof status !== 'number' || response === undefined) return null;
  const { data = {}, headers = {} } = Object(response);
  const details = Array.isArray(data.errors) ? data.errors.map((one: unknown) => Object(one).message ?? one) : [];
  const said = [
    typeof data.message === 'string' ? data.message : messageOf(error),
    ...details.filter((one: unknown) => typeof one === 'string'),
  ];
  return { status, message: said.join(': '), headers };
};

/** Asks GitHub, and turns its refusals into errors that say what to do. */
export class GithubClient {
  readonly octokit: Octokit;
  readonly settings: GithubSettings;
  readonly host: string;
  #self: Promise<string> | undefined;

  constructor(settings: GithubSettings, fetch: typeof globalThis.fetch) {
    this.settings = settings;
    this.host = new URL(settings.web).host;
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
      `repo ${JSON.stringify(slug.slice(0, 200))} is no repository of ${this.host}: write <owner>/<name>.`,
    );
  }

  /** Login of the token's account. Asked for once; a failure is asked for again. */
  self(): Promise<string> {
    this.#self ??= this.run(
      'the account of the token',
      async () => (await this.octokit.rest.users.getAuthenticated()).data.login,
    );
    this.#self.catch(() => {
      this.#self = undefined;
    });
    return this.#self;
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
    return refusal ? this.#refused(what, refusal, error) : error;
  }

  #refused(what: string, { status, message, headers }: Refusal, cause: unknown): SvcError {
    const { host } = this;
    const data = { status };
    if (status === 401) {
      const text = `${host} does not accept the token: renew plugins.installed.github.config.token.`;
      return new SvcError('config-invalid', text, { data, cause });
    }
    if (status === 403) {
      const needed = headers['x-accepted-oauth-scopes'] || headers['x-accepted-github-permissions'];
      const has = headers['x-oauth-scopes'];
      const scopes = needed ? ` It needs one of: ${needed}${has === undefined ? '' : `; it has: ${has || 'none'}`}.` : '';
      return new SvcError('forbidden', `The token may not do this with ${what} at ${host}.${scopes} ${host} says: ${message}`, {
        data,
        cause,
      });
    }
    if (status === 404) {
      return new SvcError('not-found', `${host} has no ${what}, or the token may not see it.`, { data, cause });
    }
    if (status === 409 || status === 405) return new SvcError('conflict', `${what}: ${message}`, { data, cause });
    if (status === 410 || status === 451)
      return new SvcError('not-found', `${what} is gone from ${host}: ${message}`, { data, cause });
    if (status < 500) return new SvcError('bad-argument', `${host} refuses ${what}: ${message}`, { data, cause });
    return new SvcError('unreachable', `${host} failed at ${what} (${status}): ${message}`, {
      data: { status, sent: true },
      cause,
    });
  }
}
