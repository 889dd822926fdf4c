import { chmodSync, closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { foldText } from '../../shared/text/foldText.ts';
import { toErrorMessage, SvcError } from '../../shared/errors/errors.ts';
import { isOpenHere, markOpen, refuseDoubtful } from './pair/checkPair.ts';
import { PairRecorder } from './pair/pairRecorder.ts';
import { readDatabaseHead } from './pair/readDatabaseHead.ts';
import { createStoreFailure } from './createStoreFailure.ts';

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
/**
 * Of a file that a thread of this process writes too: the lock keeps other processes away, and the
 * connections share SQLite's index of the log without a file.
 */
const OF_THIS_PROCESS = 'unix-excl';
/** PRAGMAs of a file that has nothing in it yet. */
export const NEW_FILE = `PRAGMA page_size = ${PAGE_BYTES}; PRAGMA auto_vacuum = INCREMENTAL`;
/** PRAGMAs of every connection. When the log is copied is decided by `PairRecorder`. */
export const CONNECTION = `PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = 0`;

/** Address of a file that two connections of this process share. */
export function toSharedAddress(file: string): URL {
  const address = pathToFileURL(file);
  address.search = `vfs=${OF_THIS_PROCESS}`;
  return address;
}

export interface OpenConnection {
  db: Connection;
  /** undefined: it is no file. */
  recorder: PairRecorder | undefined;
}

/**
 * Opens or creates the file (0600, in a folder of 0700 where that is new) and takes it for this
 * process alone; `isShared`: this process may open it once more. Throws SvcError `locked` where
 * another connection has it, and `store-failed`: also for a file and a log that do not belong
 * together, which SQLite is not given.
 */
export function openConnection(file: string, isShared: boolean): OpenConnection {
  const memory = file === IN_MEMORY;
  if (!memory) refuseDoubtful(file);
  let db: Connection;
  let stamp = 0;
  try {
    if (!memory) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      // SQLite gives its -wal the mode of the database. A file that exists is not opened: closing
      // it would end the locks that this process has on it.
      if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
      else if (!isOpenHere(file)) stamp = readDatabaseHead(file).head?.stamp ?? 0;
      chmodSync(file, 0o600);
    }
    // Nothing waits for a lock: the one that is taken here is kept until the end.
    const address = isShared ? toSharedAddress(file) : file;
    db = new DatabaseSync(address, { enableForeignKeyConstraints: true, timeout: 0 });
  } catch (error) {
    throw createStoreFailure('open', file, error);
  }
  try {
    // The exclusive lock before WAL: then there is no shared-memory file.
    if (!memory && !isShared) db.exec('PRAGMA locking_mode = EXCLUSIVE');
    // FULL first: a PRAGMA of a new file may commit, and the manifest counts only what is on the disk.
    db.exec(`${CONNECTION}; ${NEW_FILE}; BEGIN EXCLUSIVE; COMMIT`);
    addFunctions(db);
    const version = String(db.prepare('SELECT sqlite_version() AS version').get()?.version);
    if (!isRecentSqlite(version))
      throw new SvcError(
        'store-failed',
        `SQLite ${version} is too old; ${OLDEST_SQLITE.join('.')} or newer is required`,
      );
    if (memory) return { db, recorder: undefined };
    const recorder = new PairRecorder(db, file);
    recorder.begin(stamp);
    markOpen(file, true);
    // An index of the log that a reader has left after a kill.
    rmSync(`${file}-shm`, { force: true });
    return { db, recorder };
  } catch (error) {
    db.close();
    if (error instanceof SvcError) throw error;
    if (toErrorMessage(error).includes('locked'))
      throw new SvcError('locked', `${file} is in use`, { cause: error });
    throw createStoreFailure('open', file, error);
  }
}

/** What migrations need and SQL has not. */
function addFunctions(db: Connection): void {
  db.function('folded', { deterministic: true }, (text: string) => foldText(text));
  db.function(
    'first_line',
    { deterministic: true },
    (text: string, otherwise: string) => text.split('\n', 1)[0]?.trim() || otherwise,
  );
}

function isRecentSqlite(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, least] of OLDEST_SQLITE.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}
