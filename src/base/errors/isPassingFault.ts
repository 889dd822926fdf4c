import { findErrorCode } from './findErrorCode.ts';

/**
 * Codes of system errors that may go away without a change of the request: too many open files, a
 * disk or network that fails or is full, no memory, a file that is in use.
 */
const PASSING: ReadonlySet<string> = new Set([
  'EAGAIN',
  'EBUSY',
  'EDQUOT',
  'EINTR',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOLCK',
  'ENOMEM',
  'ENOSPC',
  'ESTALE',
  'ETIMEDOUT',
  'ETXTBSY',
]);
const MOST_CAUSES = 8;

/** Whether an error, or one that caused it, is a fault of the machine that may have passed the next time. */
export function isPassingFault(thrown: unknown): boolean {
  let at = thrown;
  for (let depth = 0; at instanceof Error && depth < MOST_CAUSES; depth += 1) {
    if (PASSING.has(findErrorCode(at) ?? '')) return true;
    at = at.cause;
  }
  return false;
}
