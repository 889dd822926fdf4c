import postgres from 'postgres';
import { type Ids, randomIds } from '../../base/system/ids/ids.ts';
import { type Clock, systemClock } from '../../base/time/clock.ts';
import type { Log } from '../../base/system/log/log.ts';
import { CancelledWaits } from './cancelledWaits.ts';
import type { Database } from './database.ts';
import { SvcError, toErrorMessage } from '../../base/errors/errors.ts';
import { createConnectionShare } from './createConnectionShare.ts';
import { isDatabaseAway, toDatabaseFault } from './databaseFaults.ts';
import { migrate, requireNewestSchema } from './migrate.ts';
import { readDatabaseUrl } from './readDatabaseUrl.ts';

/** Connections of one node. PostgreSQL allows 100 by default, for all nodes. */
export const MOST_CONNECTIONS = 10;
/**
 * Share of the connections, 0 to 1, that commits may hold which wait for a synchronous standby. While that is away they
 * wait without an end, and logins, lists and the lease of the node need a connection too.
 */
const SHARE_OF_COMMITS = 0.7;
/** How long a connection may take to open, s; then the request that needs it is refused. */
const CONNECT_SECONDS = 5;
/** How long the connection of `GET /health` stays open without being used, s. */
const LOOK_IDLE_SECONDS = 60;
/** How long the last statements may take when the node stops, s. */
const CLOSE_SECONDS = 2;
/** Attempts of a transaction that PostgreSQL ended for the sake of another one. */
const MOST_ATTEMPTS = 4;

/** What PostgreSQL ends a transaction with that can succeed when it is repeated. */
const REPEATABLE: ReadonlySet<unknown> = new Set(['40001', '40P01']);

export interface DatabaseOptions {
  log: Log;
  /** Default: {@link MOST_CONNECTIONS}. */
  max?: number;
  ids?: Ids;
  clock?: Clock;
}

/**
 * Connects, and brings the schema to the newest version. Several nodes may do so at the same time.
 * @throws SvcError `bad-argument` for a URL or a server that cannot be used, `conflict` where a
 *   newer version of svc has changed the schema, `temporarily-unavailable` where no server answers
 */
export async function openDatabase(
  url: string,
  { log, max = MOST_CONNECTIONS, ids = randomIds, clock = systemClock }: DatabaseOptions,
): Promise<Database> {
  const database = createDatabase(url, log, max);
  try {
    await migrate(database, { ids, clock, log });
  } catch (error) {
    await database.close();
    throw toStartFault(error, url);
  }
  return database;
}

/**
 * Connects to a database whose schema is the newest one, and changes nothing. Throws as {@link openDatabase}, and
 * `conflict` too where the schema is older.
 */
export async function connectDatabase(
  url: string,
  { log, max = MOST_CONNECTIONS }: Pick<DatabaseOptions, 'log' | 'max'>,
): Promise<Database> {
  const database = createDatabase(url, log, max);
  try {
    await requireNewestSchema(database);
  } catch (error) {
    await database.close();
    throw toStartFault(error, url);
  }
  return database;
}

/** No request can be sent again here: where the server was looked for, and what to check. Never the password. */
function toStartFault(thrown: unknown, url: string): unknown {
  if (!isDatabaseAway(thrown)) return toDatabaseFault(thrown);
  const { host, pathname } = new URL(url);
  return new SvcError(
    'temporarily-unavailable',
    `The database${pathname.replace('/', ' ')} at ${host} does not answer (${toErrorMessage(thrown)}). Check that PostgreSQL runs there and that the database URL is right, then run the command again.`,
    { cause: thrown, data: { reason: 'database-away' } },
  );
}

function createDatabase(url: string, log: Log, max: number): Database {
  const address = readDatabaseUrl(url);
  const waits = new CancelledWaits();
  const options = {
    ...(address.path === null ? {} : { path: address.path }),
    connect_timeout: CONNECT_SECONDS,
    // Types that extensions bring are of no use here, and asking for them costs each connection a round trip.
    fetch_types: false,
    connection: { application_name: 'svc' },
    onnotice: (notice: postgres.Notice) => {
      waits.take(notice);
      log.debug({ code: notice.code }, 'PostgreSQL: notice');
    },
    types: {
      int8: { to: 20, from: [20], parse: Number, serialize: String },
    },
  };
  const sql = postgres(address.url, { ...options, max });
  const share = createConnectionShare(Math.ceil(max * SHARE_OF_COMMITS));
  // Opened by its first statement; it may close between two looks.
  const look = postgres(address.url, { ...options, max: 1, idle_timeout: LOOK_IDLE_SECONDS });
  const end = { timeout: CLOSE_SECONDS };
  return {
    sql,
    look,
    transaction: (work) => repeatTransaction(() => sql.begin(work)),
    confirm: (work) => share(() => waits.confirm(work)),
    async close() {
      await Promise.all([sql.end(end), look.end(end)]);
    },
  };
}

async function repeatTransaction<T>(attempt: () => Promise<unknown>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      // `begin` gives what `work` gave; its type unwraps lists of statements too, which no one passes here.
      return (await attempt()) as T;
    } catch (error) {
      if (count === MOST_ATTEMPTS || !REPEATABLE.has(Object(error).code)) throw error;
    }
  }
}
