import { SvcError } from '../../../shared/errors/errors.ts';
import type { RestServer } from '../../rest/refusal.ts';

const CAPTCHA = /CAPTCHA/i;
const LOGIN_PAGE = /\blogin-url=(\S+)/i;

/**
 * The error where Jira Data Center takes no login before its account has solved a CAPTCHA, after
 * failed ones: no token helps then. null = an answer says nothing about it.
 */
export function readJiraDenial(
  { host, web }: RestServer & { web: string },
  headers: Headers,
): SvcError | null {
  const reason = headers.get('x-authentication-denied-reason') ?? '';
  const login = headers.get('x-seraph-loginreason') ?? '';
  if (!CAPTCHA.test(reason) && login !== 'AUTHENTICATION_DENIED') return null;
  const named = LOGIN_PAGE.exec(reason)?.[1];
  const page = named !== undefined && URL.canParse(named) ? named : `${web}/login.jsp`;
  return new SvcError(
    'config-invalid',
    `${host} does not accept logins of the token's account until it has solved a CAPTCHA, because logins with a wrong password or token failed before. A person logs in as this account at ${page}; svc then continues by itself. Check plugins.installed.jira.config.token too, or it happens again.`,
  );
}
