import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { SignOnError, type SignOnFault } from './signOnFaults.ts';

/** Codes of OAuth for an issuer that cannot answer at the moment. */
const PASSING: ReadonlySet<string> = new Set(['temporarily_unavailable', 'server_error']);
/** Codes of openid-client for a request without an answer; a broken connection has no code. */
const UNANSWERED: ReadonlySet<string | undefined> = new Set([
  undefined,
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
]);

/** At a refresh the issuer decides about the person; at a login, about the code that the browser brought. */
type Step = 'login' | 'refresh';

/** What an error of openid-client means for the person. What the issuer wrote is for the log alone. */
export function toSignOnError(error: unknown, step: Step): SignOnError {
  return error instanceof SignOnError ? error : new SignOnError(findFault(error, step), error);
}

function findFault(error: unknown, step: Step): SignOnFault {
  if (error instanceof AuthorizationResponseError) {
    if (error.error === 'access_denied') return 'denied';
    return PASSING.has(error.error) ? 'away' : 'misconfigured';
  }
  if (error instanceof ResponseBodyError) {
    if (error.status >= 500 || PASSING.has(error.error)) return 'away';
    if (error.error !== 'invalid_grant') return 'misconfigured';
    return step === 'login' ? 'lost' : 'denied';
  }
  if (!(error instanceof ClientError)) return 'misconfigured';
  if (UNANSWERED.has(error.code)) return 'away';
  const { cause } = error;
  return cause instanceof Response && (cause.status >= 500 || cause.status === 429)
    ? 'away'
    : 'misconfigured';
}

/** Longest reason in the log, characters. */
const MOST_REASON = 300;

/**
 * What happened, for the log of the node: messages and codes alone. The errors of openid-client also carry whole
 * answers, with tokens in them.
 */
export function describeIssuerFault(cause: unknown): string | null {
  if (!(cause instanceof Error)) return null;
  const more = 'error' in cause && typeof cause.error === 'string' ? ` (${cause.error})` : '';
  const inner = cause.cause instanceof Error ? `: ${cause.cause.message}` : '';
  return `${cause.message}${more}${inner}`.slice(0, MOST_REASON);
}
