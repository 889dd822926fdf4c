import { messageOf, SvcError } from '../../lib/errors.ts';

/** What SQLite says of a file with wrong bytes in it. */
const DAMAGED = /malformed|not a database/;
/** What it says of a disk without space. */
export const FULL = /disk is full|disk I\/O error/;
const DAMAGE_ADVICE =
  'It is damaged, or no store of svc, and was left as it is. Stop the runner, keep a copy of the file, and put a good one back; `sqlite3 <file> .recover` saves what is whole';
const FULL_ADVICE =
  'The disk is full, and nothing of this was written. What was acknowledged before is kept. Free some space; the runner continues by itself';

/** An error of SQLite as SvcError `store-failed`, with what a person can do. */
export function storeFailure(
  act: 'open' | 'read' | 'write',
  file: string,
  error: unknown,
): SvcError {
  const what = messageOf(error);
  const advice = DAMAGED.test(what)
    ? `. ${DAMAGE_ADVICE}`
    : what.includes('disk is full')
      ? `. ${FULL_ADVICE}`
      : '';
  return new SvcError('store-failed', `Could not ${act} ${file}: ${what}${advice}`, {
    cause: error,
  });
}
