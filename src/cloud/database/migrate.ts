import { SvcError } from '../../base/errors/errors.ts';
import type { Ids } from '../../base/system/ids/ids.ts';
import type { Log } from '../../base/system/log/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Database, TransactionSql } from './database.ts';
import { MIGRATIONS } from './migrations/migrations.ts';
import { ADVISORY_LOCKS } from './advisoryLocks.ts';

/** Oldest PostgreSQL that the statements are written for, as `server_version_num` begins. */
export const OLDEST_POSTGRES = 15;
/** Longest wait for another node that migrates, ms. */
const LOCK_WAIT_MS = 60_000;

/** Version of the schema that this program reads and writes. */
export const CLOUD_SCHEMA = MIGRATIONS.length;

export interface MigrationTools {
  ids: Ids;
  clock: Clock;
  log: Log;
}

/**
 * Brings the schema to {@link CLOUD_SCHEMA}, one transaction for each step. Without the lock two nodes
 * that start on an empty database collide: CREATE TABLE IF NOT EXISTS fails in them with a duplicate
 * key.
 * @throws SvcError `conflict` where the schema is newer
 */
export async function migrate(database: Database, tools: MigrationTools): Promise<void> {
  await refuseOldServer(database);
  while (!(await database.transaction((sql) => runNextMigration(sql, tools))));
}

/** Throws SvcError `conflict` if the schema is not {@link CLOUD_SCHEMA}, `not-possible-now` if the database has none. */
export async function requireNewestSchema({ sql }: Database): Promise<void> {
  const [table] = await sql`select to_regclass('schema_migrations') as name`;
  if (table?.name === null)
    throw new SvcError(
      'not-possible-now',
      'No control plane has used this database yet. Start one on it: svc cloud start.',
    );
  const [row] = await sql`select coalesce(max(version), 0) as version from schema_migrations`;
  const version = Number(row?.version);
  if (version !== CLOUD_SCHEMA)
    throw new SvcError(
      'conflict',
      `Another version of svc uses the database: its schema is version ${version}, and this program knows ${CLOUD_SCHEMA}. Run the command with the svc that the control plane runs with.`,
      { data: { schema: version, known: CLOUD_SCHEMA } },
    );
}

async function refuseOldServer({ sql }: Database): Promise<void> {
  const [row] = await sql`select current_setting('server_version_num')::int as number`;
  const major = Math.floor(Number(row?.number) / 10_000);
  if (major < OLDEST_POSTGRES)
    throw new SvcError(
      'bad-argument',
      `The database runs PostgreSQL ${major}; svc needs PostgreSQL ${OLDEST_POSTGRES} or newer.`,
    );
}

/** One step; true = none was left. */
async function runNextMigration(sql: TransactionSql, tools: MigrationTools): Promise<boolean> {
  await sql.unsafe(`set local lock_timeout = ${LOCK_WAIT_MS}`);
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.migration})`;
  await sql.unsafe(
    'create table if not exists schema_migrations (version int primary key, name text not null, applied_at timestamptz not null)',
  );
  const [row] = await sql`select coalesce(max(version), 0) as version from schema_migrations`;
  const version = Number(row?.version);
  if (version > CLOUD_SCHEMA)
    throw new SvcError(
      'conflict',
      `A newer version of svc has changed the database: its schema is version ${version}, and this program knows ${CLOUD_SCHEMA}. Install the newer version on this machine too.`,
      { data: { schema: version, known: CLOUD_SCHEMA } },
    );
  const next = MIGRATIONS[version];
  if (next === undefined) return true;
  // The commit of the last step writes those before it to the disk too: a new database waits for it once.
  if (version + 1 < CLOUD_SCHEMA) await sql.unsafe('set local synchronous_commit = off');
  await next.run(sql, tools);
  await sql`insert into schema_migrations (version, name, applied_at)
    values (${version + 1}, ${next.name}, ${new Date(tools.clock.now())})`;
  tools.log.info({ version: version + 1, migration: next.name }, 'the schema was migrated');
  return false;
}
