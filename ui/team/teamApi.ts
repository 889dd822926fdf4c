import { refuseBad, toUnreachableError } from '../../src/api/client/problem.ts';

/** The control plane's own routes, for the pages of a team. */
export interface TeamApi {
  /** The origin, or the address of the team where the path does not begin with `/`. */
  get<Reply>(path: string): Promise<Reply>;
  /** The reply; undefined where the route answers with nothing. */
  send<Reply>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Reply>;
  /** Second value of this browser's login; read for each change. */
  csrf: () => string;
}

export interface TeamApiOptions {
  /** Such as `/teams/acme`. */
  base: string;
  csrf: () => string;
  fetch: typeof globalThis.fetch;
}

export const CSRF_HEADER = 'X-Svc-Csrf';

/** Throws ClientError where the control plane refuses, SvcError `unreachable` where it does not answer. */
export function createTeamApi({ base, csrf, fetch }: TeamApiOptions): TeamApi {
  async function ask<Reply>(method: string, path: string, body?: object): Promise<Reply> {
    const url = path.startsWith('/') ? path : `${base}${path === '' ? '' : '/'}${path}`;
    let response: Response;
    try {
      response = await fetch(url, {
        method,
        headers: {
          ...(method === 'GET' ? {} : { [CSRF_HEADER]: csrf() }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch (thrown) {
      throw toUnreachableError(thrown, url);
    }
    const text = await (await refuseBad(response)).text();
    return (text === '' ? undefined : JSON.parse(text)) as Reply;
  }
  return { get: (path) => ask('GET', path), send: ask, csrf };
}
