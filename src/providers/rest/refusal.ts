import { SvcError } from '../../shared/errors/errors.ts';
import { isRedirect, createRedirectError } from '../account/redirects.ts';

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
export const createUnconfirmedError = (
  { host }: Pick<RestServer, 'host'>,
  what: string,
): SvcError =>
  new SvcError(
    'unreachable',
    `${host} answers the write to ${what} without confirming the write.`,
    {
      data: { sent: true },
    },
  );

/** The error of an answer, with this status, of which nothing can be read; `why`: a clause. */
export const createUnreadError = (
  { host }: Pick<RestServer, 'host'>,
  what: string,
  why: string,
  status = 200,
): SvcError =>
  new SvcError('unreachable', `${host} answers about ${what} with ${why}.`, {
    data: { status, sent: true },
  });

/** The error of a health check whose answer names no account. */
export const createNoAccountError = ({ host, tokenSetting }: RestServer): SvcError =>
  new SvcError(
    'config-invalid',
    `${host} answers, but does not name the token's account: something else may be answering, such as a proxy or a login page. Check ${tokenSetting.replace(/\.[^.]+$/, '.baseUrl')}.`,
  );

/** What a server answered instead of what was wanted. */
export interface Refusal {
  status: number;
  /** What it says, on one line; untrusted; empty where it says nothing. */
  message: string;
  /** What the token would need, by comma; null = it does not say. */
  needs?: string | null;
  /** What the token has, by comma; null = it does not say. */
  has?: string | null;
  /** What else may be wrong where the token is not accepted; a sentence. */
  hint?: string | undefined;
  /** The page at which a person authorizes the token for single sign-on; null = none is named. */
  signOn?: string | null;
}

/** Causes of a refusal that no other token changes, with what a person can do; first match counts. */
const CAUSES: readonly [words: RegExp, text: string][] = [
  [/\barchived\b/i, 'it is archived, which makes it read-only. A person must unarchive it.'],
  [
    /\b(?:account|user)\b.*\b(?:suspended|blocked|locked|deactivated|disabled)\b/i,
    "the token's account is suspended, blocked or locked there. A person must ask its administrators.",
  ],
  [/\blocked\b/i, 'its conversation is locked. A person with write access must unlock it.'],
  [
    /\bIP (?:allow|address)|\bnot permitted from\b/i,
    "its owner admits only some IP addresses. A person must add that of this machine to the owner's list.",
  ],
  [/\b(?:access blocked|DMCA)\b/i, 'access to it is blocked by the provider.'],
  [/\bblocked\b/i, "its owner has blocked the token's account. A person must ask the owner."],
];

const SINGLE_SIGN_ON = /\bSAML\b|\bsingle sign-?on\b|\bSSO\b/i;

/** Why a request was refused where it is not the rights of the token; null = it is these. */
function findRefusalCause({ host }: RestServer, { message, signOn }: Refusal): string | null {
  if (signOn || SINGLE_SIGN_ON.test(message)) {
    const where = signOn
      ? `A person opens ${signOn} (valid for an hour) and authorizes the token.`
      : `A person authorizes the token for the organisation in the settings of tokens at ${host}.`;
    return `its organisation requires single sign-on, for which the token is not authorized. ${where}`;
  }
  return CAUSES.find(([words]) => words.test(message))?.[1] ?? null;
}

/**
 * An error that says what to do about a refusal. `data.status` is the HTTP status, `data.said` what
 * the server says; `what` is what was asked for.
 */
export function createRefusalError(
  server: RestServer,
  what: string,
  refusal: Refusal,
  cause?: unknown,
): SvcError {
  const { host, tokenSetting } = server;
  const { status, message, needs, has, hint } = refusal;
  if (isRedirect(status)) return createRedirectError(host, status, what);
  // 300 and 304, which no request of svc asks for.
  if (status < 400)
    return new SvcError(
      'unreachable',
      `${host} answers about ${what} with the unexpected status ${status}.`,
      { data: { status, sent: true }, cause },
    );
  const error = (
    code: ConstructorParameters<typeof SvcError>[0],
    text: string,
    more: object = {},
  ) => new SvcError(code, text, { data: { status, said: message, ...more }, cause });
  const says = message === '' ? '' : ` ${host} says: ${message}`;
  const reason = message === '' ? 'it gives no reason' : message;
  if (status === 401)
    return error(
      'config-invalid',
      `${host} does not accept the token: renew ${tokenSetting}.${hint === undefined ? '' : ` ${hint}`}`,
    );
  if (status === 403) {
    const why = needs ? null : findRefusalCause(server, refusal);
    if (why !== null) return error('forbidden', `${host} refuses ${what}: ${why}${says}`);
    const scopes = needs
      ? ` It needs one of: ${needs}${has == null ? '' : `; it has: ${has || 'none'}`}.`
      : '';
    return error(
      'forbidden',
      `The token has no permission for this on ${what} at ${host}.${scopes}${says}`,
    );
  }
  if (status === 404)
    return error('not-found', `${host} has no ${what}, or the token may not see it.`);
  if (status === 405 || status === 409) return error('conflict', `${what}: ${reason}`);
  if (status === 410 || status === 451)
    return error('not-found', `${what} is gone from ${host}: ${reason}`);
  if (status < 500) return error('bad-argument', `${host} refuses ${what}: ${reason}`);
  return error('unreachable', `${host} failed at ${what} (${status}): ${reason}`, { sent: true });
}
