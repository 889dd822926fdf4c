import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';

/** SQLite's words for a file with damaged bytes. */
const DAMAGED = /malformed|not a database/;
/** SQLite's words for a full disk. */
export const FULL = /disk is full|disk I\/O error/;
/** SQLite's words for rows that a table refuses. */
const REFUSED_ROWS = /constraint failed|cannot store|datatype mismatch|integer overflow|too big/;
const DAMAGE_ADVICE =
  'It is damaged or not an svc store. It was not changed. Stop the runner, keep a copy of the file, and restore a good one; `sqlite3 <file> .recover` saves what is readable';
const FULL_ADVICE =
  'The disk is full; nothing was written. Acknowledged changes are kept. Free some space; the runner continues by itself';

/** Marks an error as one of a batch's rows and not of the store, as the kernel expects. */
export const markRowsError = <Kind extends Error>(error: Kind): Kind & { isOfRows: true } =>
  Object.assign(error, { isOfRows: true as const });

/** Turns an SQLite error into SvcError `store-failed` with what a person can do. */
export function createStoreFailure(
  act: 'open' | 'read' | 'write',
  file: string,
  error: unknown,
): SvcError {
  const what = toErrorMessage(error);
  const advice = DAMAGED.test(what)
    ? `. ${DAMAGE_ADVICE}`
    : what.includes('disk is full')
      ? `. ${FULL_ADVICE}`
      : '';
  const text = `Could not ${act} ${file}: ${what}${advice}`;
  const failure = new SvcError('store-failed', text, { cause: error });
  return act === 'write' && REFUSED_ROWS.test(what) ? markRowsError(failure) : failure;
}
