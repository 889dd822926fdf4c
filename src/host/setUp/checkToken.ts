import { SvcError } from '../../base/errors/errors.ts';
import { resolveGithubAddresses } from '../../providers/github/forge/settings.ts';
import { readGitlabSettings } from '../../providers/gitlab/forge/settings.ts';

/** Longest wait for each answer of a forge, ms. */
const ANSWER_MS = 10_000;

export interface CheckedToken {
  /** Login of its account; null = it could not be asked. */
  account: string | null;
  /** Whether the account is one that a person may also use; null = it is not known. */
  isPerson: boolean | null;
  /** What a person should know, in sentences: among it the scopes that are missing. */
  notes: string[];
}

interface TokenUnderTest {
  token: string;
  /** As in the settings of the plugin; empty = the provider's own. */
  baseUrl: string;
  fetch: typeof globalThis.fetch;
}

interface ForgeApiAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

const askForgeApi = async (
  { token, fetch }: TokenUnderTest,
  host: string,
  url: string,
): Promise<ForgeApiAnswer> => {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const body: unknown = await response.json().catch(() => null);
  if (response.status === 401)
    throw new SvcError(
      'bad-argument',
      `${host} rejects this token. Nothing was saved; use another token.`,
    );
  return { status: response.status, headers: response.headers, body: Object(body) };
};

const describeMissingScope = (host: string, missing: string, what: string): string =>
  `The token has no ${missing} scope on ${host}, so svc cannot ${what}. Create a token with this scope and enter it here.`;

/** GitHub names the scopes of a classic token in a header; a fine-grained token has none. */
async function checkGithub(tokenUnderTest: TokenUnderTest): Promise<CheckedToken> {
  const { api, web } = resolveGithubAddresses(tokenUnderTest.baseUrl);
  const { host } = new URL(web);
  const { status, headers, body } = await askForgeApi(tokenUnderTest, host, `${api}/user`);
  if (status !== 200) return createUncheckedToken(host, `it answers ${status}`);
  const scopes = headers.get('x-oauth-scopes');
  const heldScopes = scopes?.split(',').map((scope) => scope.trim()) ?? [];
  const notes: string[] = [];
  if (scopes === null)
    notes.push(
      `${host} does not report this token's permissions. It needs read and write access to contents and pull requests in the repositories of your jobs.`,
    );
  else if (!heldScopes.includes('repo'))
    notes.push(
      heldScopes.includes('public_repo')
        ? describeMissingScope(host, 'repo', 'work on private repositories')
        : describeMissingScope(host, 'repo', 'push branches or open pull requests'),
    );
  const account = typeof body.login === 'string' ? body.login : null;
  return { account, isPerson: account === null ? null : body.type === 'User', notes };
}

/** GitLab describes a token to the token itself, and marks the accounts of bots. */
async function checkGitlab(tokenUnderTest: TokenUnderTest): Promise<CheckedToken> {
  const { api, web } = readGitlabSettings({
    token: tokenUnderTest.token,
    baseUrl: tokenUnderTest.baseUrl,
  });
  const { host } = new URL(web);
  const { status, body } = await askForgeApi(tokenUnderTest, host, `${api}/user`);
  if (status !== 200) return createUncheckedToken(host, `it answers ${status}`);
  const own = await askForgeApi(tokenUnderTest, host, `${api}/personal_access_tokens/self`);
  const { scopes } = own.body;
  const notes: string[] = [];
  if (!Array.isArray(scopes))
    notes.push(`${host} does not report this token's permissions. It needs the api scope.`);
  else if (!scopes.includes('api'))
    notes.push(describeMissingScope(host, 'api', 'push branches or open merge requests'));
  const account = typeof body.username === 'string' ? body.username : null;
  return { account, isPerson: account === null ? null : body.bot !== true, notes };
}

const createUncheckedToken = (host: string, why: string): CheckedToken => ({
  account: null,
  isPerson: null,
  notes: [`The token could not be checked at ${host}: ${why}. It was saved as it is.`],
});

const CHECKS: Readonly<Record<string, (tokenUnderTest: TokenUnderTest) => Promise<CheckedToken>>> =
  {
    github: checkGithub,
    gitlab: checkGitlab,
  };

/**
 * Asks the forge whose token this is and what it may do. A forge that svc cannot ask, or
 * that does not answer, is a note. Throws SvcError `bad-argument` for a token that is refused, and
 * `config-invalid` for a text that is not an address.
 */
export async function checkToken(
  id: string,
  tokenUnderTest: TokenUnderTest,
): Promise<CheckedToken> {
  const check = CHECKS[id];
  if (check === undefined) return { account: null, isPerson: null, notes: [] };
  try {
    return await check(tokenUnderTest);
  } catch (error) {
    if (error instanceof SvcError) throw error;
    return createUncheckedToken(
      tokenUnderTest.baseUrl === '' ? id : new URL(tokenUnderTest.baseUrl).host,
      'it did not answer',
    );
  }
}

/** Host of the server, as its command line names it. Throws SvcError `config-invalid`. */
export const resolveServerHost = (id: string, baseUrl: string): string =>
  new URL(
    id === 'github' ? resolveGithubAddresses(baseUrl).web : readGitlabSettings({ baseUrl }).web,
  ).host;
