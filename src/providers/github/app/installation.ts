import type { Clock } from '../../../base/time/clock.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { runAsRunner } from '../../account/caller.ts';
import {
  createGithubFetch,
  createGithubOctokit,
  readGithubRefusal,
  type SignIn,
} from '../forge/octokit.ts';
import type { GithubApp } from './appSettings.ts';
import { sign } from 'node:crypto';

const PERMISSIONS: readonly {
  name: string;
  title: string;
  access: 'read' | 'write';
  /** What does not work without the permission; null = nothing works. */
  without: string | null;
}[] = [
  { name: 'contents', title: 'Contents', access: 'write', without: null },
  { name: 'pull_requests', title: 'Pull requests', access: 'write', without: null },
  { name: 'checks', title: 'Checks', access: 'read', without: 'results of checks' },
  { name: 'statuses', title: 'Commit statuses', access: 'read', without: 'results of statuses' },
  { name: 'issues', title: 'Issues', access: 'write', without: 'the tracker github-issues' },
];

const grantsAccess = (permission: unknown, required: 'read' | 'write'): boolean =>
  permission === 'write' || permission === 'admin' || permission === required;

function checkAppPermissions(permissions: unknown): { ok: boolean; detail: string } {
  const lacking = PERMISSIONS.filter(
    ({ name, access }) => !grantsAccess(Object(permissions)[name], access),
  );
  if (lacking.length === 0) return { ok: true, detail: '' };
  const list = lacking
    .map(
      ({ title, access, without }) =>
        `${title} (${access === 'write' ? 'read and write' : 'read'}${without === null ? '' : `, for ${without}`})`,
    )
    .join(', ');
  return {
    ok: lacking.every(({ without }) => without !== null),
    detail: ` The app lacks permissions: ${list}. Give them in the app's settings, then accept them at the installation.`,
  };
}

/** Seconds that the token is backdated, in case GitHub's clock is behind ours. */
const BACKDATED_S = 60;
/** Lifetime of the token, s: GitHub accepts ten minutes at most, by its own clock. */
const VALID_S = 9 * 60;

const encodeJwtPart = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * A JSON Web Token, signed with the app's key, that proves that svc is the app. `now`: epoch ms.
 */
function signAppJwt({ id, key }: Pick<GithubApp, 'id' | 'key'>, now: number): string {
  const seconds = Math.floor(now / 1000);
  const text = `${encodeJwtPart({ alg: 'RS256', typ: 'JWT' })}.${encodeJwtPart({
    iat: seconds - BACKDATED_S,
    exp: seconds + VALID_S,
    iss: String(id),
  })}`;
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`;
}

/** How long before its end a token is replaced, ms: ten of its sixty minutes. */
const EARLY_MS = 10 * 60_000;
/** How long before its end a token that could not be replaced is still used, ms. */
const LAST_MS = 60_000;
/** GitHub's words for a missing app; for a missing installation it says "Not Found". */
const NO_APP = /integration not found/i;
const CONFIG = 'plugins.installed.github.config';

export interface InstallationOptions {
  app: GithubApp;
  api: string;
  host: string;
  fetch: typeof globalThis.fetch;
  clock: Clock;
}

interface MintedToken {
  token: string;
  /** By our clock, epoch ms. */
  endsAt: number;
}

export class Installation {
  readonly #options: InstallationOptions;
  readonly #octokit: ReturnType<typeof createGithubOctokit>;
  #minted: MintedToken | null = null;
  #minting: Promise<MintedToken> | null = null;

  constructor(options: InstallationOptions) {
    this.#options = options;
    const { api, host, fetch, app, clock } = options;
    const signIn: SignIn = {
      scheme: 'Bearer',
      readToken: async () => signAppJwt(app, clock.now()),
      renewToken: async () => null,
    };
    this.#octokit = createGithubOctokit(api, createGithubFetch(host, signIn, fetch));
  }

  /** A token that is valid for some more minutes. Throws SvcError. */
  async readToken(): Promise<string> {
    const mintedToken = this.#minted;
    const now = this.#options.clock.now();
    if (mintedToken && now < mintedToken.endsAt - EARLY_MS) return mintedToken.token;
    try {
      return (await this.#mint()).token;
    } catch (error) {
      if (mintedToken && now < mintedToken.endsAt - LAST_MS) return mintedToken.token;
      throw error;
    }
  }

  /** Another token than the refused one. Throws SvcError. */
  async renewToken(refusedToken: string): Promise<string> {
    const mintedToken = this.#minted;
    return mintedToken && mintedToken.token !== refusedToken
      ? mintedToken.token
      : (await this.#mint()).token;
  }

  /** Login of the app's account, `<slug>[bot]`, asked for now. Throws SvcError. */
  async account(): Promise<string> {
    const { data } = await this.#run((octokit) => octokit.rest.apps.getAuthenticated());
    const slug: unknown = Object(data).slug;
    if (typeof slug === 'string' && slug !== '') return `${slug}[bot]`;
    throw new SvcError(
      'config-invalid',
      `${this.#options.host} answers, but does not name the app: something else may be answering, such as a proxy. Check ${CONFIG}.baseUrl.`,
    );
  }

  /** Login of the account that it is installed for; empty = GitHub does not say. Throws SvcError. */
  async owner(): Promise<string> {
    const { account } = await this.#installation();
    const login: unknown = Object(account).login ?? Object(account).slug;
    return typeof login === 'string' ? login : '';
  }

  /** Whether key, app and installation fit together, and what the app may not do. */
  async health(): Promise<{ ok: boolean; detail: string }> {
    const [login, owner] = [await this.account(), await this.owner()];
    const { permissions } = await this.#installation();
    await this.#mint();
    const who = `Logged in as ${login}${owner === '' ? '' : `, the app's account at ${owner}`}.`;
    const { ok, detail } = checkAppPermissions(permissions);
    return { ok, detail: `${who}${detail}` };
  }

  async #installation(): Promise<{ account: unknown; permissions: unknown }> {
    const { installationId } = this.#options.app;
    const { data } = await this.#run((octokit) =>
      octokit.rest.apps.getInstallation({ installation_id: installationId }),
    );
    const { account, permissions } = Object(data);
    return { account, permissions };
  }

  /** One request for all callers that wait for a token. */
  #mint(): Promise<MintedToken> {
    this.#minting ??= this.#ask().finally(() => {
      this.#minting = null;
    });
    return this.#minting;
  }

  async #ask(): Promise<MintedToken> {
    const { app, host, clock } = this.#options;
    const askedAt = clock.now();
    const { data, headers } = await this.#run((octokit) =>
      octokit.rest.apps.createInstallationAccessToken({ installation_id: app.installationId }),
    );
    const { token, expires_at: ends } = Object(data);
    const endsAt = Date.parse(String(ends));
    if (typeof token !== 'string' || token === '' || !Number.isFinite(endsAt))
      throw new SvcError('unreachable', `${host} answers without a token for the app.`);
    // GitHub's clock, which may differ from ours.
    const saidAt = Date.parse(String(headers.date));
    const lastsMs = endsAt - (Number.isFinite(saidAt) ? saidAt : askedAt);
    this.#minted = { token, endsAt: askedAt + lastsMs };
    return this.#minted;
  }

  async #run<T>(ask: (octokit: ReturnType<typeof createGithubOctokit>) => Promise<T>): Promise<T> {
    try {
      return await runAsRunner(() => ask(this.#octokit));
    } catch (error) {
      throw this.#explainError(error);
    }
  }

  /**
   * Never says that a write may have happened: a token that no one received has changed nothing.
   */
  #explainError(error: unknown): unknown {
    const { host, app } = this.#options;
    const cause = error instanceof SvcError ? error : Object(error).cause;
    if (cause instanceof SvcError)
      return new SvcError(cause.code, cause.message, {
        data: { ...cause.data, sent: false },
        cause,
      });
    const refusal = readGithubRefusal(error);
    if (!refusal) return error;
    const { status, message } = refusal;
    const createFailure = (code: 'config-invalid' | 'forbidden' | 'unreachable', text: string) =>
      new SvcError(code, text, { data: { status, sent: false }, cause: error });
    if (status === 401)
      return createFailure(
        'config-invalid',
        `${host} does not accept the key of the app ${app.id}: check appId and privateKey of ${CONFIG}, and the clock of this machine. ${host} says: ${message}`,
      );
    if (status === 404 && NO_APP.test(message))
      return createFailure(
        'config-invalid',
        `${host} has no app ${app.id}: check appId of ${CONFIG}, the number on the page of the app.`,
      );
    if (status === 404)
      return createFailure(
        'config-invalid',
        `${host} has no installation ${app.installationId} of the app ${app.id}: check installationId of ${CONFIG}, and that the app is still installed.`,
      );
    if (status < 500)
      return createFailure(
        'forbidden',
        `${host} gives the installation ${app.installationId} of the app ${app.id} no token: ${message}`,
      );
    return createFailure(
      'unreachable',
      `${host} failed to issue a token for the app (${status}): ${message}`,
    );
  }
}
