import type { Clock } from '../../../base/time/clock.ts';
import type { AccountClient, AccountLimits, OpenAccount } from '../../../contract/forge/account.ts';
import type { SignIn } from '../forge/octokit.ts';
import type { GithubSettings } from '../forge/settings.ts';
import { Installation } from './installation.ts';

export interface Credentials extends SignIn {
  /** The app behind it; null = the token names an account. */
  app: Installation | null;
}

export interface GithubAccounts {
  accountClient: AccountClient;
  /** For requests as the app itself, which GitHub counts separately; only with an app. */
  appClient?: AccountClient;
}

/** Opens the account that the settings name; the same settings always get the same clients. */
export function openGithub(
  { web, token, app }: GithubSettings,
  openAccount: OpenAccount,
  limits: AccountLimits,
): GithubAccounts {
  const { host } = new URL(web);
  if (app === null) return { accountClient: openAccount({ host, secret: token }, limits) };
  const secret = app.pem;
  return {
    accountClient: openAccount({ host, secret }, limits),
    appClient: openAccount({ host: `${host} (as the app)`, secret }, limits),
  };
}

export function createGithubCredentials(
  { web, api, token, app }: GithubSettings,
  { accountClient, appClient = accountClient, clock }: GithubAccounts & { clock: Clock },
): Credentials {
  if (app === null)
    return {
      scheme: 'token',
      readToken: async () => token,
      renewToken: async () => null,
      app: null,
    };
  const installation = new Installation({
    app,
    api,
    host: new URL(web).host,
    fetch: (input, init) => appClient.fetch(input, { ...init, isLogin: true }),
    clock,
  });
  return {
    scheme: 'Bearer',
    readToken: () => installation.readToken(),
    renewToken: (refusedToken) => installation.renewToken(refusedToken),
    app: installation,
  };
}
