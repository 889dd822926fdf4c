import { SvcError } from '../../../base/errors/errors.ts';
import { type RestAnswer, RestClient } from '../../rest/client.ts';
import { createNoAccountError } from '../../rest/refusal.ts';
import { readErrorTexts, joinErrorTexts, describeRefusal } from '../../rest/describeRefusal.ts';
import type { Account } from './resources.ts';
import {
  formatBitbucketAuthorization,
  type BitbucketSettings,
  splitBitbucketSlug,
} from './settings.ts';

/** The address that Bitbucket itself gives for its API, whatever address was asked. */
const CLOUD_API = 'https://api.bitbucket.org';
/** The part of an API address up to the version. */
const API_PATH = /^.*?\/2\.0(?=\/)/;
const TOKEN_SETTING = 'plugins.installed.bitbucket.config.token';

const joinScopeNames = (value: unknown): string | null =>
  Array.isArray(value) ? value.map(String).join(', ') : null;

/** Names the setting that is likely to be wrong, since Bitbucket's answer does not tell. */
const suggestBitbucketLogin = ({ username }: BitbucketSettings): string =>
  username === ''
    ? 'Without username it must be an access token of a repository, project or workspace; an API token needs the e-mail of its account as username.'
    : username.includes('@')
      ? 'An API token needs the e-mail of its own account as username; an access token needs none.'
      : 'An API token needs the e-mail of its account as username, not its name; app passwords no longer work.';

/**
 * Bitbucket says `{type: 'error', error: {message, detail, fields}}`; `detail` names the scopes
 * where one is missing.
 */
function readBitbucketRefusal(
  settings: BitbucketSettings,
  { status, body, headers }: RestAnswer,
): { message: string; needs: string | null; has: string | null } {
  if (headers.has('x-arequestid') || Array.isArray(Object(body).errors)) {
    throw new SvcError(
      'config-invalid',
      'plugins.installed.bitbucket.config.baseUrl points to a Bitbucket Data Center, whose API svc does not support: bitbucket is for Bitbucket Cloud.',
    );
  }
  if (status === 401) {
    const { host } = new URL(settings.web);
    const text = `${host} does not accept the token: renew ${TOKEN_SETTING}. ${suggestBitbucketLogin(settings)}`;
    throw new SvcError('config-invalid', text, { data: { status } });
  }
  const { detail } = Object(Object(body).error);
  const { required, granted } = Object(detail);
  return {
    message: readBitbucketMessage(body),
    needs: joinScopeNames(required),
    has: joinScopeNames(granted),
  };
}

function readBitbucketMessage(body: unknown): string {
  const { error } = Object(body);
  if (typeof error !== 'object' || error === null) return describeRefusal(body);
  const { message, detail, fields } = Object(error);
  const isScopes = typeof detail === 'object' && detail !== null && 'required' in detail;
  return joinErrorTexts([
    ...readErrorTexts(message),
    ...(isScopes ? [] : readErrorTexts(detail)),
    ...readErrorTexts(fields),
  ]);
}

/**
 * An address that Bitbucket names, at the server that we ask: behind a proxy these are two. null =
 * it is somewhere else.
 */
function toOwnApiUrl(api: string, nextUrl: string, from: string): string | null {
  if (!URL.canParse(nextUrl, from)) return null;
  const url = new URL(nextUrl, from);
  if (url.origin !== CLOUD_API && url.origin !== new URL(api).origin) return null;
  const path = url.pathname.replace(API_PATH, '');
  return path === url.pathname ? null : `${api}${path}${url.search}`;
}

/**
 * Follows Bitbucket's redirect from a pull request to its diff, one step; the token goes to no
 * other server.
 */
const withOneRedirect =
  (api: string, fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const to =
      response.status > 300 && response.status < 309 ? response.headers.get('location') : null;
    const next = to === null ? null : toOwnApiUrl(api, to, String(input));
    return next === null ? response : fetch(next, init);
  };

export class BitbucketClient extends RestClient {
  readonly settings: BitbucketSettings;
  #self: Promise<Account | null> | undefined;

  constructor(settings: BitbucketSettings, fetch: typeof globalThis.fetch) {
    const { api } = settings;
    super({
      server: { host: new URL(settings.web).host, tokenSetting: TOKEN_SETTING },
      api,
      headers: { authorization: formatBitbucketAuthorization(settings) },
      fetch: withOneRedirect(api, fetch),
      wantsNumericIds: true,
      readRefusal: (answer) => readBitbucketRefusal(settings, answer),
      readListPage({ body }) {
        const { values, next } = Object(body);
        const nextUrl = typeof next === 'string' ? next : null;
        return {
          items: values,
          next: nextUrl === null ? null : (toOwnApiUrl(api, nextUrl, api) ?? nextUrl),
        };
      },
    });
    this.settings = settings;
  }

  /** Workspace and name. Throws SvcError `bad-argument` for an invalid slug. */
  toFullSlug(slug: string): string {
    const place = splitBitbucketSlug(this.settings, slug);
    if (place) return `${place.workspace}/${place.repo}`;
    throw new SvcError(
      'bad-argument',
      `repo ${JSON.stringify(slug.slice(0, 200))} is not a repository of ${this.server.host}: write <workspace>/<name>.`,
    );
  }

  repo(slug: string): string {
    return `/repositories/${this.toFullSlug(slug)}`;
  }

  pr(slug: string, number: number): string {
    return `${this.repo(slug)}/pullrequests/${number}`;
  }

  /**
   * The token's account; null for an access token that may not ask, until it has written something.
   * Asked for once; a failure is asked for again.
   */
  self(): Promise<Account | null> {
    this.#self ??= this.account();
    this.#self.catch(() => {
      this.#self = undefined;
    });
    return this.#self;
  }

  /** As `self`, but always asks. */
  async account(): Promise<Account | null> {
    try {
      const account = (await this.getAny('the account of the token', '/user')) as Account | null;
      if (typeof account?.uuid !== 'string' || account.uuid === '')
        throw createNoAccountError(this.server);
      return account;
    } catch (error) {
      const isUnknown =
        error instanceof SvcError && [401, 403, 404].includes(Number(error.data.status));
      // The account of an access token has no `/user`; the first other request shows whether the
      // token is right.
      if (isUnknown && this.settings.username === '') return null;
      throw error;
    }
  }

  /** Remembers the account that wrote what svc has just sent. */
  rememberSelf(account: Account | null): void {
    if (account) this.#self = Promise.resolve(account);
  }
}
