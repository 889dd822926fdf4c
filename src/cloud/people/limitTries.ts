import { SvcError } from '../../base/errors/errors.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Database, TransactionSql } from '../database/database.ts';

/** How long a failed try counts, ms. */
export const TRIES_MS = 15 * 60_000;
/** Failed logins in that time, of one address and of one account each. */
export const MOST_LOGIN_TRIES = 10;
/** Wrong codes of devices, of one address and of one person each. */
export const MOST_CODE_TRIES = 5;

/** Rows beside those of the authorization server: they expire, and are removed, in the same way. */
const MODEL = 'Tries';

export interface TryPlaces {
  database: Database;
  clock: Clock;
}

/** Times of the tries that still count, in ms, with the row locked. */
async function lockTries(sql: TransactionSql, id: string, now: number): Promise<number[]> {
  await sql`
    insert into oauth_records (model, id, payload, expires_at)
    values (${MODEL}, ${id}, '{"times": []}', ${new Date(now + TRIES_MS)})
    on conflict do nothing`;
  const [row] = await sql<{ payload: { times: number[] } }[]>`
    select payload from oauth_records where model = ${MODEL} and id = ${id} for update`;
  return (row?.payload.times ?? []).filter((at) => at > now - TRIES_MS);
}

const saveTries = (sql: TransactionSql, id: string, times: readonly number[], now: number) => sql`
  update oauth_records
  set payload = ${sql.json({ times: [...times] })}, expires_at = ${new Date(now + TRIES_MS)}
  where model = ${MODEL} and id = ${id}`;

/**
 * Counts a try before it is made, so that many at once cannot pass together. `keys` name what is
 * limited, such as `login address 192.0.2.1`. The returned function takes the try back: call it
 * when the try was right. Throws SvcError `rate-limited`; such a try does not count.
 */
export async function takeTry(
  { database, clock }: TryPlaces,
  keys: readonly string[],
  most: number,
): Promise<() => Promise<void>> {
  const now = clock.now();
  // In one order everywhere: two requests never wait for each other.
  const ids = keys.map(sha256).sort();
  const waitMs = await database.transaction(async (sql) => {
    const tries: [id: string, times: number[]][] = [];
    for (const id of ids) tries.push([id, await lockTries(sql, id, now)]);
    const full = tries.flatMap(([, times]) => (times.length >= most ? [Math.min(...times)] : []));
    if (full.length > 0) return Math.max(...full) + TRIES_MS - now;
    for (const [id, times] of tries) await saveTries(sql, id, [...times, now], now);
    return 0;
  });
  if (waitMs > 0) {
    const minutes = Math.ceil(waitMs / 60_000);
    throw new SvcError(
      'rate-limited',
      `Too many wrong tries. Wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} and try again.`,
      { data: { retryAfterSeconds: Math.ceil(waitMs / 1000) } },
    );
  }
  return () =>
    database.transaction(async (sql) => {
      for (const id of ids) {
        const times = await lockTries(sql, id, now);
        const index = times.indexOf(now);
        if (index !== -1) await saveTries(sql, id, times.toSpliced(index, 1), now);
      }
    });
}
