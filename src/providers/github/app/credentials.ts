import type { Clock } from '../../../shared/time/clock.ts';
import type { AccountClient, AccountLimits, OpenAccount } from '../../../contract/forge/account.ts';
import type { SignIn } from '../forge/octokit.ts';
import type { GithubSettings } from '../forge/settings.ts';
import { Installation } from './installation.ts';

/** What opens an account at GitHub: a token that stays, or one that an app gets for an hour. */
export interface Credentials extends SignIn {
  /** The app behind it; null = the token names an account. */
  app: Installation | null;
}

/** The ways to GitHub. */
export interface GithubAccounts {
  accountClient: AccountClient;
  /** Of the app itself, whose requests GitHub counts apart; used with an app alone. */
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

/** How requests of the account are signed in. */
export function createGithubCredentials(
  { web, api, token, app }: GithubSettings,
  { accountClient, appClient = accountClient, clock }: GithubAccounts & { clock: Clock },
): Credentials {
  if (app === null)
    return { scheme: 'token', token: async () => token, renewToken: async () => null, app: null };
  const installation = new Installation({
    app,
    api,
    host: new URL(web).host,
    fetch: appClient.fetch,
    clock,
  });
  return {
    scheme: 'Bearer',
    token: () => installation.token(),
    renewToken: (refused) => installation.renewToken(refused),
    app: installation,
  };
}
