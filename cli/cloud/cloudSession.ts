import { refuseBad } from '../../src/api/client/problem.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { Io } from '../io.ts';
import {
  type CloudLogin,
  readCloudLogin,
  removeCloudLogin,
  writeCloudLogin,
} from './cloudLoginFile.ts';
import { sendToCloud } from './cloudRequest.ts';
import { lockCloudLogin } from './lockCloudLogin.ts';
import { OauthRefusal, requestTokens, type Tokens } from './oauthTokens.ts';

/** An access token is renewed this long before it ends, ms. */
const EARLY_MS = 60_000;

export interface CloudSessionParts {
  io: Pick<Io, 'fetch' | 'now' | 'after'>;
  home: string;
  version: string;
}

/** The control plane, asked in the name of the person who is logged in. */
export interface CloudSession {
  login: CloudLogin;
  /** An answer whatever its status. Throws SvcError `unauthorized` where the login has ended. */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** `fetch` with the person's token, without a limit of time: for streams, and for clients that have their own. */
  fetch: typeof globalThis.fetch;
  /** The JSON of a good answer. Throws ClientError for a refusal. */
  ask<T>(path: string, init?: RequestInit): Promise<T>;
}

export const toStoredTokens = (tokens: Tokens, now: number) => ({
  accessToken: tokens.accessToken,
  accessUntil: now + tokens.expiresIn * 1000,
  refreshToken: tokens.refreshToken,
});

const createEndedError = (): SvcError =>
  new SvcError('unauthorized', 'You are not logged in to a control plane. Run svc login.');

/** Throws SvcError `unauthorized` where no one is logged in. */
export async function openCloudSession(parts: CloudSessionParts): Promise<CloudSession> {
  const cloudLogin = await readCloudLogin(parts.home);
  if (cloudLogin === null) throw createEndedError();
  let login = cloudLogin;
  const withToken = async (
    request: (login: CloudLogin) => Promise<Response>,
  ): Promise<Response> => {
    if (login.accessUntil - EARLY_MS <= parts.io.now()) login = await renewLogin(parts, login);
    const first = await request(login);
    if (first.status !== 401) return first;
    // By the control plane's clock it has ended, or it was revoked: the refresh token knows.
    login = await renewLogin(parts, login);
    return request(login);
  };
  const send = (path: string, init: RequestInit = {}): Promise<Response> =>
    withToken((now) => sendWithToken(parts, now, path, init));
  return {
    get login() {
      return login;
    },
    send,
    fetch: (input, init = {}) =>
      withToken(({ accessToken }) => {
        const headers = new Headers(init.headers);
        headers.set('Authorization', `Bearer ${accessToken}`);
        return parts.io.fetch(input, { ...init, headers, redirect: 'manual' });
      }),
    async ask<T>(path: string, init?: RequestInit) {
      const answer = await refuseBad(await send(path, init));
      return (answer.status === 204 ? undefined : await answer.json()) as T;
    },
  };
}

function sendWithToken(
  { io, version }: CloudSessionParts,
  { url, accessToken }: CloudLogin,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('Authorization', `Bearer ${accessToken}`);
  return sendToCloud({ io, url, version }, path, { ...init, headers });
}

/** New tokens, from the control plane or from another command that has just fetched them. */
const renewLogin = (parts: CloudSessionParts, old: CloudLogin): Promise<CloudLogin> =>
  lockCloudLogin(parts.io, parts.home, async () => {
    const { io, home, version } = parts;
    const now = await readCloudLogin(home);
    if (now === null || now.url !== old.url) throw createEndedError();
    if (now.accessToken !== old.accessToken) return now;
    try {
      const fields = { grant_type: 'refresh_token', refresh_token: now.refreshToken };
      const tokens = await requestTokens({ io, url: now.url, version }, fields);
      const login = { ...now, ...toStoredTokens(tokens, io.now()) };
      await writeCloudLogin(home, login);
      return login;
    } catch (error) {
      if (!(error instanceof OauthRefusal)) throw error;
      await removeCloudLogin(home);
      throw new SvcError(
        'unauthorized',
        'Your login at the control plane has ended. Run svc login.',
      );
    }
  });
