import type { Sql, TransactionSql } from '../database/database.ts';
import type { CloudContext } from '../server/cloudContext.ts';

/** What a runner has that the log of its home does not have. */
export interface Ahead {
  /** The newest entry that it has. */
  n?: number;
  generation?: number;
  /** It works on its own state, without the log. */
  isLocal?: true;
  /** Not known: the database was restored, and the runner has not connected since with what the log has. */
  isRestored?: true;
}

/**
 * The log is not the newest state of the home: a database that was restored to the past, or a runner that works without
 * its log. No other runner continues the home until a person has decided, or its own runner has claimed it.
 */
export const writeAhead = (sql: Sql | TransactionSql, runnerId: string, ahead: Ahead) =>
  sql`update homes set ahead = ${JSON.stringify(ahead)}::text::jsonb where runner_id = ${runnerId}`;

/** The same in a transaction of its own. */
export function noteAhead(
  { database, log }: Pick<CloudContext, 'database' | 'log'>,
  runnerId: string,
  ahead: Ahead,
): void {
  log.error(
    { runner: runnerId, ...ahead },
    'a runner has more than the log of its home: was the database restored? No other runner continues it; svc cloud reseed begins the log again from the runner',
  );
  writeAhead(database.sql, runnerId, ahead).catch((err: unknown) =>
    log.warn({ err, runner: runnerId }, 'that a runner has more could not be stored'),
  );
}
