import type { TransactionSql } from '../database/database.ts';
import { selectOrigin } from '../database/selectOrigin.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import type { Ahead } from './noteAhead.ts';

const RESTORED: Ahead = { isRestored: true };

/**
 * Checks whether the rows were written in another database, and so came from a dump. Runners may then have entries that
 * came after it, also those that are away: no other runner continues a home until its own one has come back with what the log
 * has, or a person has decided. A row that an administrator has deleted counts as another database.
 */
export async function noteRestore({
  database,
  log,
}: Pick<CloudContext, 'database' | 'log'>): Promise<void> {
  const [same] = await database.sql`
    select from database_origin join (${selectOrigin(database.sql)}) here on here.origin = database_origin.origin`;
  if (same !== undefined) return;
  const homes = await database.transaction(async (sql) => {
    const { count } = await sql`
      insert into database_origin (origin) ${selectOrigin(sql)}
      on conflict (is_only) do update set origin = excluded.origin where database_origin.origin <> excluded.origin`;
    if (count === 0) return 0;
    const marking = await sql`
      update homes set ahead = ${JSON.stringify(RESTORED)}::text::jsonb, asked_generation = null where ahead is null`;
    return marking.count;
  });
  if (homes === 0) return;
  log.warn(
    { homes },
    'the database was restored: runners may have more than it. No other runner continues a home until its own one is back',
  );
}

/** The runner is back, and has nothing that the log lacks. */
export const confirmRestored = (sql: TransactionSql, runnerId: string) =>
  sql`update homes set ahead = null where runner_id = ${runnerId} and ahead = ${JSON.stringify(RESTORED)}::text::jsonb`;
