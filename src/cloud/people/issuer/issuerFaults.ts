import type { errors } from 'oidc-provider';
import { isDatabaseAway } from '../../database/databaseFaults.ts';

export type IssuerErrors = typeof errors;

/** An error of the database as one of OAuth (RFC 6749, 4.1.2.1); others stay as they are. */
export function toIssuerFault(thrown: unknown, issuerErrors: IssuerErrors): unknown {
  if (!isDatabaseAway(thrown)) return thrown;
  const fault = createUnavailable(issuerErrors, 'The database does not answer. Try again.');
  return Object.assign(fault, { cause: thrown });
}

/** Nothing was decided: the client may send its request again. */
export const createUnavailable = (issuerErrors: IssuerErrors, message: string): Error =>
  Object.assign(new issuerErrors.TemporarilyUnavailable(message), { status: 503, statusCode: 503 });
