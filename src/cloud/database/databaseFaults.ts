import { findErrorCode } from '../../base/errors/findErrorCode.ts';
import { SvcError, toErrorMessage } from '../../base/errors/errors.ts';

/** What the client reports of a connection that cannot be made, or broke. */
const CONNECTION: ReadonlySet<string> = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
/**
 * SQLSTATE of a server that stops, starts, is full, or has become a read-only standby: operator
 * intervention, lack of resources, failed connections.
 */
const AWAY = /^(?:08...|57P0.|53...|25006)$/;

/** Whether the database does not answer at present: the same query may succeed later. */
export function isDatabaseAway(thrown: unknown): boolean {
  const code = findErrorCode(thrown) ?? '';
  // Only the client's own errors: a file that is missing has the same code.
  const isConnection = CONNECTION.has(code) && isOfClient(thrown);
  return isConnection || (Object(thrown).name === 'PostgresError' && AWAY.test(code));
}

const isOfClient = (thrown: unknown): boolean => {
  const { syscall, address, code } = Object(thrown);
  return (
    /^CONNECT/.test(String(code)) ||
    ['connect', 'getaddrinfo', 'read', 'write'].includes(syscall) ||
    address !== undefined
  );
};

/** Why PostgreSQL refuses this user or database for good, in words; null = it does not. */
function explainRefusal(thrown: unknown): string | null {
  const { name, code, message } = Object(thrown);
  if (name !== 'PostgresError') return null;
  switch (code) {
    case '28P01':
    case '28000':
      return `PostgreSQL refuses the login: ${message}. Check user and password of the database URL.`;
    case '3D000':
      return `${message}. Create the database, or correct the name in the database URL.`;
    case '42501':
      return `PostgreSQL refuses to create the tables: ${message}. Make the user of the database URL the owner of the database.`;
    default:
      return null;
  }
}

/**
 * What a request or a start that met this error is refused with. Other errors stay as they are. The
 * message never repeats a statement or its values.
 */
export function toDatabaseFault(thrown: unknown): unknown {
  if (thrown instanceof SvcError) return thrown;
  const refusal = explainRefusal(thrown);
  if (refusal !== null) return new SvcError('bad-argument', refusal, { cause: thrown });
  if (!isDatabaseAway(thrown)) return thrown;
  return createDatabaseAwayError(thrown);
}

export const createDatabaseAwayError = (cause: unknown): SvcError =>
  new SvcError(
    'temporarily-unavailable',
    `The database does not answer (${toErrorMessage(cause)}). Send the request again.`,
    { cause, data: { reason: 'database-away' } },
  );
