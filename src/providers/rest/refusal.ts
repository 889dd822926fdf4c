import { SvcError } from '../../lib/errors.ts';
import { isRedirect, notFollowed } from '../account/redirects.ts';

/** A forge's server, as messages name it. */
export interface RestServer {
  /** Host, with its port where it is not the usual one. */
  host: string;
  /** Where its token is configured: `plugins.installed.<id>.config.token`. */
  tokenSetting: string;
}

/**
 * The error of an answer to a write that does not show that it was done. Whether it was is looked
 * for, as after a lost answer (`data.sent`).
 */
export const unlikeAnAnswer = ({ host }: Pick<RestServer, 'host'>, what: string): SvcError =>
  new SvcError(
    'unreachable',
    `${host} answers the write to ${what} with something that does not confirm that it was done.`,
    {
      data: { sent: true },
    },
  );

/** The error of a health check whose answer names no account. */
export const noAccount = ({ host, tokenSetting }: RestServer): SvcError =>
  new SvcError(
    'config-invalid',
    `${host} answers, but does not name the token's account: something else may be answering, such as a proxy or a login page. Check ${tokenSetting.replace(/\.[^.]+$/, '.baseUrl')}.`,
  );

/** What a server answered instead of what was wanted. */
export interface Refusal {
  status: number;
  /** What it says; untrusted. */
  message: string;
  /** What the token would need, by comma; null = it does not say. */
  needs?: string | null;
  /** What the token has, by comma; null = it does not say. */
  has?: string | null;
  /** What else may be wrong where the token is not accepted; a sentence. */
  hint?: string | undefined;
}

/**
 * An error that says what to do about a refusal. `data.status` is the HTTP status, `data.said` what
 * the server says; `what` is what was asked for.
 */
export function refused(
  { host, tokenSetting }: RestServer,
  what: string,
  refusal: Refusal,
  cause?: unknown,
): SvcError {
  const { status, message, needs, has, hint } = refusal;
  if (isRedirect(status)) return notFollowed(host, status, what);
  const error = (
    code: ConstructorParameters<typeof SvcError>[0],
    text: string,
    more: object = {},
  ) => new SvcError(code, text, { data: { status, said: message, ...more }, cause });
  if (status === 401)
    return error(
      'config-invalid',
      `${host} does not accept the token: renew ${tokenSetting}.${hint === undefined ? '' : ` ${hint}`}`,
    );
  if (status === 403) {
    const scopes = needs
      ? ` It needs one of: ${needs}${has == null ? '' : `; it has: ${has || 'none'}`}.`
      : '';
    return error(
      'forbidden',
      `The token may not do this with ${what} at ${host}.${scopes} ${host} says: ${message}`,
    );
  }
  if (status === 404)
    return error('not-found', `${host} has no ${what}, or the token may not see it.`);
  if (status === 405 || status === 409) return error('conflict', `${what}: ${message}`);
  if (status === 410 || status === 451)
    return error('not-found', `${what} is gone from ${host}: ${message}`);
  if (status < 500) return error('bad-argument', `${host} refuses ${what}: ${message}`);
  return error('unreachable', `${host} failed at ${what} (${status}): ${message}`, { sent: true });
}
