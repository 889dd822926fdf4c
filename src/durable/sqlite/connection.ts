import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { foldedText } from '../../domain/foldedText.ts';
import { messageOf, SvcError } from '../../lib/errors.ts';
import { storeFailure } from './storeFailure.ts';

export type Connection = InstanceType<typeof DatabaseSync>;

/** SQLite's name for a database that is no file. */
export const IN_MEMORY = ':memory:';

/** Before this release a WAL reset could corrupt a database. */
const OLDEST_SQLITE = [3, 51, 3] as const;
/** Page cache, KiB. */
const CACHE_KIB = 16_384;
/**
 * Of a new file. Most actors with their snapshot fit into one page; with 4 KiB a step costs a tenth
 * more.
 */
const PAGE_BYTES = 8_192;
/** Pages in the WAL at which a commit copies it into the database: 48 MiB. Usually it is idle time that does. */
export const CHECKPOINT_PAGES = 6_000;
/**
 * Of a file that a thread of this process writes too: the lock keeps other processes away, and the
 * connections share SQLite's index of the log without a file.
 */
const OF_THIS_PROCESS = 'unix-excl';
/** PRAGMAs of every connection. */
export const CONNECTION = `PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`;

/** Address of a file that two connections of this process share. */
export function addressShared(file: string): URL {
  const address = pathToFileURL(file);
  address.search = `vfs=${OF_THIS_PROCESS}`;
  return address;
}

/**
 * Opens or creates the file (0600, in a folder of 0700 where that is new) and takes it for this
 * process alone; `isShared`: this process may open it once more. Throws SvcError `locked` where
 * another connection has it, `store-failed`.
 */
export function openConnection(file: string, isShared: boolean): Connection {
  const memory = file === IN_MEMORY;
  let db: Connection;
  try {
    if (!memory) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      // SQLite gives its -wal the mode of the database. A file that exists is not opened: closing
      // it would end the locks that this process has on it.
      if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
      chmodSync(file, 0o600);
    }
    // Nothing waits for a lock: the one that is taken here is kept until the end.
    const address = isShared ? addressShared(file) : file;
    db = new DatabaseSync(address, { enableForeignKeyConstraints: true, timeout: 0 });
  } catch (error) {
    throw storeFailure('open', file, error);
  }
  try {
    // The exclusive lock before WAL: then there is no shared-memory file.
    if (!memory && !isShared) db.exec('PRAGMA locking_mode = EXCLUSIVE');
    db.exec(
      `PRAGMA page_size = ${PAGE_BYTES}; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL`,
    );
    db.exec(`${CONNECTION}; BEGIN IMMEDIATE; COMMIT`);
    addFunctions(db);
    const version = String(db.prepare('SELECT sqlite_version() AS version').get()?.version);
    if (!recent(version))
      throw new SvcError(
        'store-failed',
        `SQLite ${version} is too old; ${OLDEST_SQLITE.join('.')} or newer is required`,
      );
    return db;
  } catch (error) {
    db.close();
    if (error instanceof SvcError) throw error;
    if (messageOf(error).includes('locked'))
      throw new SvcError('locked', `${file} is in use`, { cause: error });
    throw storeFailure('open', file, error);
  }
}

/** What migrations need and SQL has not. */
function addFunctions(db: Connection): void {
  db.function('folded', { deterministic: true }, (text: string) => foldedText(text));
  db.function(
    'first_line',
    { deterministic: true },
    (text: string, otherwise: string) => text.split('\n', 1)[0]?.trim() || otherwise,
  );
}

function recent(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, least] of OLDEST_SQLITE.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}
