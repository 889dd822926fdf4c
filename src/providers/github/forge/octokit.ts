import { Octokit } from '@octokit/rest';
import { quoteHugeIntegers } from '../../../base/json/quoteHugeIntegers.ts';
import { screenSecretForms } from '../../../base/secrets/secretForms.ts';
import { isRedirect, createRedirectError } from '../../account/redirects.ts';
import type { Refusal } from '../../rest/refusal.ts';
import { describeRefusal } from '../../rest/describeRefusal.ts';

/** The version of the REST API that svc is written for; without it GitHub chooses one. */
const API_VERSION = '2022-11-28';
const UNAUTHORIZED = 401;

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

export interface SignIn {
  /** `token` for a token of an account, `Bearer` for one of an app. */
  scheme: 'token' | 'Bearer';
  readToken(): Promise<string>;
  /** Another token in place of a refused one; null = none exists. */
  renewToken(refusedToken: string): Promise<string | null>;
}

type Fetch = typeof globalThis.fetch;

/** Octokit takes a redirect for a success. */
const withRedirectsRefused =
  (host: string, fetch: Fetch): Fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    if (isRedirect(response.status)) throw createRedirectError(host, response.status);
    return response;
  };

const HTML = /^\s*text\/html\b/i;

const isHtmlTyped = (headers: Headers): boolean => HTML.test(headers.get('content-type') ?? '');

/**
 * Removes the token from a refusal, since a server may repeat the request in it, or in a page of
 * HTML.
 */
async function screenRefusal(response: Response, token: string): Promise<Response> {
  const { status, headers } = response;
  if (response.body === null || (status < 400 && !isHtmlTyped(headers))) return response;
  return new Response(screenSecretForms([token])(await response.text()), { status, headers });
}

/**
 * Signs requests with the current token; a request that is refused for it is sent once more with
 * another.
 */
const withSignIn =
  ({ scheme, readToken: token, renewToken: renew }: SignIn, fetch: Fetch): Fetch =>
  async (input, init = {}) => {
    const send = async (one: string): Promise<Response> => {
      const headers = new Headers(init.headers);
      headers.set('authorization', `${scheme} ${one}`);
      headers.set('x-github-api-version', API_VERSION);
      return screenRefusal(await fetch(input, { ...init, headers }), one);
    };
    const first = await token();
    const response = await send(first);
    if (response.status !== UNAUTHORIZED) return response;
    const next = await renew(first);
    return next === null ? response : send(next);
  };

const isJsonText = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
};

/**
 * Sets the content type by which Octokit reads an answer, since a proxy may drop or change it. What
 * was asked for as JSON is JSON if it parses; everything else is text.
 */
const withContentType =
  (fetch: Fetch): Fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const { status } = response;
    if (response.body === null) return response;
    const text = await response.text();
    const asks = new Headers(init?.headers).get('accept') ?? '';
    const isData = (status >= 400 || !/\.(?:diff|patch|raw)\b/.test(asks)) && isJsonText(text);
    const headers = new Headers(response.headers);
    const type = isData ? 'application/json' : isHtmlTyped(headers) ? 'text/html' : 'text/plain';
    headers.set('content-type', `${type}; charset=utf-8`);
    return new Response(isData ? quoteHugeIntegers(text) : text, { status, headers });
  };

export const createGithubFetch = (host: string, signIn: SignIn, fetch: Fetch): Fetch =>
  withContentType(withRedirectsRefused(host, withSignIn(signIn, fetch)));

export class UnusableBody extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super('an answer that is not an object');
    this.status = status;
    this.body = body;
  }
}

export function createGithubOctokit(api: string, fetch: Fetch): Octokit {
  const octokit = new Octokit({ baseUrl: api, userAgent: 'svc', log: SILENT, request: { fetch } });
  octokit.hook.after('request', (response, { url }) => {
    const { data, headers } = response;
    // Octokit types only the statuses that it knows, and takes every one below 400 for a success.
    const status: number = response.status;
    if (status >= 300)
      throw Object.assign(new Error(`status ${status}`), { status, response: { data, headers } });
    const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
    if (url.endsWith('/graphql') && !isObject) throw new UnusableBody(status, data);
  });
  return octokit;
}

/** GitHub's refusal in an error of Octokit; null = it is another error. */
export function readGithubRefusal(error: unknown): Refusal | null {
  const { status, response } = Object(error);
  if (typeof status !== 'number' || response === undefined) return null;
  const { data, headers = {} } = Object(response);
  return {
    status,
    message: describeRefusal(data) || 'no reason',
    needs: headers['x-accepted-oauth-scopes'] || headers['x-accepted-github-permissions'],
    has: headers['x-oauth-scopes'],
    signOn: readSignOnAddress(headers['x-github-sso']),
  };
}

function readSignOnAddress(header: unknown): string | null {
  const url = /^required;.*\burl=(\S+)/i.exec(typeof header === 'string' ? header : '')?.[1];
  return url !== undefined && /^https?:/.test(url) && URL.canParse(url) ? url : null;
}
