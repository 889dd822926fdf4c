import type { errors } from 'oidc-provider';
import { isDatabaseAway } from '../../database/databaseFaults.ts';

export type IssuerErrors = typeof errors;

/** An error of the database as one of OAuth (RFC 6749, 4.1.2.1); others stay as they are. */
export function toIssuerFault(thrown: unknown, known: IssuerErrors): unknown {
  if (!isDatabaseAway(thrown)) return thrown;
  const fault = createUnavailable(known, 'The database does not answer. Try again.');
  return Object.assign(fault, { cause: thrown });
}

/** Nothing was decided: the client may send its request again. */
export const createUnavailable = (known: IssuerErrors, message: string): Error =>
  Object.assign(new known.TemporarilyUnavailable(message), { status: 503, statusCode: 503 });
