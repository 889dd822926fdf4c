import { SvcError } from '../../base/errors/errors.ts';
import { isRedirect, createRedirectError } from '../account/redirects.ts';

export interface RestServer {
  /** With its port, unless it is the default one. */
  host: string;
  /** Where its token is configured: `plugins.installed.<id>.config.token`. */
  tokenSetting: string;
}

/**
 * The error of an answer to a write that does not show that the write was done. It is looked for,
 * as after a lost answer (`data.sent`).
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

export const createUnreadError = (
  { host }: Pick<RestServer, 'host'>,
  what: string,
  why: string,
  status = 200,
): SvcError =>
  new SvcError('unreachable', `${host} answers about ${what} with ${why}.`, {
    data: { status, sent: true },
  });

export const createNoAccountError = ({ host, tokenSetting }: RestServer): SvcError =>
  new SvcError(
    'config-invalid',
    `${host} answers, but does not name the token's account: something else may be answering, such as a proxy or a login page. Check ${tokenSetting.replace(/\.[^.]+$/, '.baseUrl')}.`,
  );

export interface Refusal {
  status: number;
  /** The server's text on one line; untrusted; empty where it has none. */
  message: string;
  /** Missing rights of the token, separated by commas; null = not said. */
  needs?: string | null;
  /** Present rights of the token, separated by commas; null = not said. */
  has?: string | null;
  /** A sentence about another possible reason why the token is not accepted. */
  hint?: string | undefined;
  /** The page where a person authorizes the token for single sign-on; null = none. */
  signOn?: string | null;
}

/**
 * Causes of a refusal that no other token removes, with what a person can do; first match counts.
 */
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

/** Why a request was refused, other than the token's rights; null = it is these. */
function findRefusalCause({ host }: RestServer, { message, signOn }: Refusal): string | null {
  if (signOn || SINGLE_SIGN_ON.test(message)) {
    const where = signOn
      ? `A person opens ${signOn} (valid for an hour) and authorizes the token.`
      : `A person authorizes the token for the organisation in the settings of tokens at ${host}.`;
    return `its organisation requires single sign-on, for which the token is not authorized. ${where}`;
  }
  return CAUSES.find(([words]) => words.test(message))?.[1] ?? null;
}

/** What a 404 is about: where something new is to be made, it is the place for it. */
const nameMissing = (what: string): string =>
  what.replace(/^a pull request of (?=\S+$)/, 'repository ');

/**
 * An error that says what to do about a refusal. `data.status` is the HTTP status, `data.said` the
 * server's text; `what`: what was asked for.
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
  // 300 and 304, which no request of svc should get.
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
    return error('not-found', `${host} has no ${nameMissing(what)}, or the token may not see it.`);
  if (status === 405 || status === 409) return error('conflict', `${what}: ${reason}`);
  if (status === 410 || status === 451)
    return error('not-found', `${what} is gone from ${host}: ${reason}`);
  if (status < 500) return error('bad-argument', `${host} refuses ${what}: ${reason}`);
  return error('unreachable', `${host} failed at ${what} (${status}): ${reason}`, { sent: true });
}
