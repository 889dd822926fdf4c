import type { Clock } from '../../../base/time/clock.ts';
import type { Database } from '../../database/database.ts';

/** Rows of one statement: it never holds up a login. */
const MOST_ROWS = 1000;

/** Removes codes, tokens and counted tries that have expired. */
export async function removeExpiredRecords(database: Database, clock: Clock): Promise<void> {
  const now = new Date(clock.now());
  let removedCount = MOST_ROWS;
  // Anyone may ask for codes: what they leave must go as fast as it comes.
  while (removedCount === MOST_ROWS) {
    const { count } = await database.sql`
      delete from oauth_records where (model, id) in (
        select model, id from oauth_records where expires_at <= ${now} limit ${MOST_ROWS})`;
    removedCount = count;
  }
}
